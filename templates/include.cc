#include "templates/include.h"

#include "base/check.h"
#include "base/text.h"
#include "templates/describe.h"
#include "templates/expression.h"
#include "templates/expression_check.h"
#include "templates/when.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace rgx::templates {
namespace {

constexpr std::size_t kUsesMax = 256;  // of all templates in one plan

const Template* find_template(std::span<const Template> known, std::string_view name) {
  const auto found = std::ranges::find(known, name, &Template::name);
  return found == known.end() ? nullptr : &*found;
}

class IncludeChecker {
 public:
  explicit IncludeChecker(std::span<const Template> known) : known_(known) {}

  void check(const Template& source);
  [[nodiscard]] Status finish() {
    return mistakes_.empty() ? Status{} : Status(fail(std::move(mistakes_).error()));
  }

 private:
  void check_step(const StepTemplate& step);
  void check_arguments(const StepTemplate& step, const Template& included);

  std::span<const Template> known_;
  yaml::Mistakes mistakes_;
  std::vector<std::string> path_;  // of templates that include each other
  std::size_t uses_ = 0;
};

void IncludeChecker::check_arguments(const StepTemplate& step, const Template& included) {
  std::vector<std::string> names;
  for (const Parameter& parameter : included.parameters) {
    names.push_back(parameter.name);
    if (parameter.required && step.with.find(parameter.name) == nullptr) {
      mistakes_.add(
          "argument.missing", step.place,
          "step `" + step.id + "` gives `" + included.name + "` no `" + parameter.name + "`",
          "add it under `with`");
    }
  }
  for (const yaml::Member& member : step.with.members) {
    const Parameter* parameter = included.find_parameter(member.key);
    if (parameter == nullptr) {
      mistakes_.add("argument.unknown", member.key_place,
                    "template `" + included.name + "` has no parameter " + quoted(member.key),
                    suggestion(member.key, names, "it takes no argument"));
    } else if (!has_reference(*member.value)) {
      if (const auto checked = check_argument(*parameter, yaml::to_json(*member.value)); !checked) {
        const Diagnostic& first = checked.error().first();
        mistakes_.add(first.code, member.value->place, first.message, first.remedy);
      }
    }
  }
}

void IncludeChecker::check_step(const StepTemplate& step) {
  const Template* included = find_template(known_, step.include);
  if (included == nullptr) {
    std::vector<std::string> names;
    for (const Template& source : known_) {
      names.push_back(source.name);
    }
    mistakes_.add(
        "template.unknown_include", step.place,
        "step `" + step.id + "` includes " + quoted(step.include) + ", which is no template",
        suggestion(step.include, names,
                   "include a shipped template, or one whose file is beside this one"));
    return;
  }
  check_arguments(step, *included);
  if (std::ranges::find(path_, included->name) != path_.end()) {
    mistakes_.add(
        "template.include_cycle", step.place,
        "the templates include each other: " + rgx::join(path_, " -> ") + " -> " + included->name,
        "remove one of these includes");
    return;
  }
  check(*included);
}

void IncludeChecker::check(const Template& source) {
  path_.push_back(source.name);
  for (const StepTemplate& step : source.steps) {
    if (step.include.empty()) {
      continue;
    }
    if (path_.size() > kIncludeDepthMax) {
      mistakes_.add("template.include_depth", step.place,
                    "includes are nested deeper than 8: " + rgx::join(path_, " -> "),
                    "include the steps more directly");
      break;
    }
    if (++uses_ > kUsesMax) {
      if (uses_ == kUsesMax + 1) {
        mistakes_.add("template.too_many", step.place,
                      "more than 256 templates are included, counted once for each time",
                      "split the template");
      }
      break;
    }
    check_step(step);
  }
  path_.pop_back();
}

class Usage {
 public:
  Usage(std::span<const Template> known, const EvaluateFacts& evaluate)
      : known_(known),
        evaluate_(evaluate) {}

  [[nodiscard]] Result<TemplateUse> use(const Template& source, Arguments arguments);

 private:
  [[nodiscard]] Result<Arguments> arguments_of(const StepTemplate& step, const Template& included,
                                               const TemplateUse& outer);

  std::span<const Template> known_;
  const EvaluateFacts& evaluate_;
};

Result<Arguments> Usage::arguments_of(const StepTemplate& step, const Template& included,
                                      const TemplateUse& outer) {
  Arguments given;
  for (const yaml::Member& member : step.with.members) {
    RGX_TRY(given[member.key], expand(*member.value, Scope{outer.arguments, outer.facts}));
  }
  auto bound = bind_arguments(included, given);
  if (!bound) {
    for (Diagnostic& found : bound.error().diagnostics) {
      found.message = "step `" + step.id + "` includes `" + included.name + "`: " + found.message;
      found.place = step.place;
    }
  }
  return bound;
}

Result<TemplateUse> Usage::use(const Template& source, Arguments arguments) {
  TemplateUse made{&source, std::move(arguments), {}, {}};
  RGX_TRY(made.facts, evaluate_(source, made.arguments));
  // What a run decides stays open here: then the steps are in the plan.
  const OutputSources open = [](const std::string&) { return OutputSource{StepId("open"), {}}; };
  for (const StepTemplate& step : source.steps) {
    if (step.include.empty()) {
      continue;
    }
    if (step.when) {
      RGX_TRY(const When when,
              expand_when(*step.when, Scope{made.arguments, made.facts, nullptr, &open}));
      if (when.decided && !*when.decided) {
        continue;
      }
    }
    const Template* included = find_template(known_, step.include);
    RGX_CHECK(included != nullptr);  // check_includes looked
    RGX_TRY(Arguments inner, arguments_of(step, *included, made));
    RGX_TRY(made.includes[step.id], use(*included, std::move(inner)));
  }
  return made;
}

}  // namespace

Status check_includes(const Template& source, std::span<const Template> known) {
  IncludeChecker checker(known);
  checker.check(source);
  return checker.finish();
}

Result<TemplateUse> use_template(const Template& source, Arguments arguments,
                                 std::span<const Template> known, const EvaluateFacts& evaluate) {
  RGX_TRY_STATUS(check_includes(source, known));
  return Usage(known, evaluate).use(source, std::move(arguments));
}

}  // namespace rgx::templates
