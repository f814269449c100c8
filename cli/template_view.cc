#include "cli/template_view.h"

#include <algorithm>

#include "base/canonical.h"
#include "base/text.h"
#include "cli/display_width.h"

namespace rgx::cli {
namespace {

constexpr std::size_t kNameColumnMax = 24;

std::string pad(std::string text, std::size_t width) {
  const std::size_t cells = display_width(text);
  text.append(cells < width ? width - cells : 0, ' ');
  return text;
}

std::string type_text(const templates::Parameter& parameter) {
  std::string type(templates::to_string(parameter.type));
  if (parameter.of) {
    type += " of " + std::string(templates::to_string(*parameter.of));
  }
  if (!parameter.values.empty()) {
    type += " (" + join(parameter.values, "|") + ")";
  }
  return printable(type);
}

std::string parameter_text(const templates::Parameter& parameter) {
  std::string out = "  " + pad(printable(parameter.name), 12) + "  " + type_text(parameter);
  if (parameter.required) {
    out += ", required";
  } else if (parameter.fallback) {
    out +=
        ", default " + printable(parameter.fallback->is_string() ? parameter.fallback->as_string()
                                                                 : canonical(*parameter.fallback));
  }
  out += '\n';
  if (!parameter.description.empty()) {
    out += "                " + printable(parameter.description) + '\n';
  }
  return out;
}

Json parameter_json(const templates::Parameter& parameter) {
  return Json::object({{"name", parameter.name},
                       {"type", templates::to_string(parameter.type)},
                       {"of", parameter.of ? Json(templates::to_string(*parameter.of)) : Json()},
                       {"required", parameter.required},
                       {"default", parameter.fallback.value_or(Json())},
                       {"values", Json::array_of(parameter.values)},
                       {"description", parameter.description}});
}

}  // namespace

std::string template_list_text(const std::vector<templates::Template>& known) {
  std::size_t width = 0;
  for (const templates::Template& one : known) {
    width = std::max(width, one.name.size());
  }
  width = std::min(width, kNameColumnMax);
  std::string out;
  for (const templates::Template& one : known) {
    out += pad(printable(one.name), width) + "  " + pad(printable(one.version), 7) + "  " +
           printable(one.summary) + '\n';
  }
  return out;
}

Json template_list_json(const std::vector<templates::Template>& known) {
  Json list = Json::array();
  for (const templates::Template& one : known) {
    list.push(Json::object({{"name", one.name},
                            {"version", one.version},
                            {"summary", one.summary},
                            {"digest", one.digest.to_string()}}));
  }
  return Json::object({{"schema", "rgx.templates/v1"}, {"templates", std::move(list)}});
}

std::string template_text(const templates::Template& source, Colour colour) {
  const auto title = [colour](std::string_view text) {
    return '\n' + paint(colour, Tone::strong, text) + '\n';
  };
  std::string out = printable(source.name) + ' ' + printable(source.version) + "  " +
                    printable(source.summary) + '\n';
  if (!source.parameters.empty()) {
    out += title("parameters (`--set NAME=VALUE`)");
    for (const templates::Parameter& parameter : source.parameters) {
      out += parameter_text(parameter);
    }
  }
  for (const auto& [language, patterns] : source.utterances) {
    out += title("said in `" + printable(language) + "`");
    for (const std::string& pattern : patterns) {
      out += "  " + printable(pattern) + '\n';
    }
  }
  if (!source.steps.empty()) {
    out += title("steps");
    for (const templates::StepTemplate& step : source.steps) {
      out += "  " + pad(printable(step.id), 16) + "  " + printable(step.use) +
             (step.for_each ? "  (one for each of a list)" : "") + '\n';
    }
  }
  return out + "\ndigest  " + source.digest.to_string() + '\n';
}

Json template_json(const templates::Template& source) {
  Json parameters = Json::array();
  for (const templates::Parameter& parameter : source.parameters) {
    parameters.push(parameter_json(parameter));
  }
  Json utterances = Json::object();
  for (const auto& [language, patterns] : source.utterances) {
    utterances.set(language, Json::array_of(patterns));
  }
  Json steps = Json::array();
  for (const templates::StepTemplate& step : source.steps) {
    steps.push(Json::object({{"id", step.id}, {"use", step.use}}));
  }
  return Json::object({{"schema", "rgx.template-view/v1"},
                       {"name", source.name},
                       {"version", source.version},
                       {"summary", source.summary},
                       {"digest", source.digest.to_string()},
                       {"parameters", std::move(parameters)},
                       {"utterances", std::move(utterances)},
                       {"steps", std::move(steps)}});
}

}  // namespace rgx::cli
