#include "templates/describe.h"

#include "base/text.h"

namespace rgx::templates {
namespace {

constexpr std::size_t kShownBytesMax = 120;
constexpr std::size_t kListedMax = 16;

}  // namespace

std::string quoted(std::string_view text) {
  std::string shown = printable(text);
  if (shown.size() > kShownBytesMax) {
    std::size_t cut = kShownBytesMax;
    while (cut > 0 && (static_cast<unsigned char>(shown[cut]) & 0xC0U) == 0x80U) {
      --cut;
    }
    shown.resize(cut);
    shown += "…";
  }
  return "`" + shown + "`";
}

std::string described(const Json& value) {
  switch (value.kind()) {
    case Json::Kind::null:
      return "empty";
    case Json::Kind::boolean:
      return value.as_boolean() ? "`true`" : "`false`";
    case Json::Kind::integer:
      return "the integer `" + std::to_string(value.as_integer()) + "`";
    case Json::Kind::string:
      return quoted(value.as_string());
    case Json::Kind::array:
      return "a list";
    case Json::Kind::object:
      return "a mapping";
  }
  return {};
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known,
                       std::string_view otherwise) {
  const std::vector<std::string_view> names(known.begin(), known.end());
  if (const auto near = nearest(word, names)) {
    return "did you mean `" + *near + "`?";
  }
  if (known.empty() || known.size() > kListedMax) {
    return std::string(otherwise);
  }
  std::string list;
  for (const std::string& name : known) {
    list += (list.empty() ? "`" : ", `") + name + "`";
  }
  return "known names are " + list;
}

std::optional<std::string> scalar_text(const Json& value) {
  switch (value.kind()) {
    case Json::Kind::string:
      return value.as_string();
    case Json::Kind::integer:
      return std::to_string(value.as_integer());
    case Json::Kind::boolean:
      return std::string(value.as_boolean() ? "true" : "false");
    case Json::Kind::null:
    case Json::Kind::array:
    case Json::Kind::object:
      break;
  }
  return std::nullopt;
}

}  // namespace rgx::templates
