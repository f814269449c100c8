#include "templates/provenance.h"

#include "base/text.h"

#include <cstddef>

namespace rgx::templates {

std::string_view to_string(Origin origin) {
  return kOriginNames[static_cast<std::size_t>(origin)];
}

std::string_view to_string(Axis axis) {
  return kAxisNames[static_cast<std::size_t>(axis)];
}

Json OriginSet::to_json() const {
  Json names = Json::array();
  for (std::size_t index = 0; index < kOriginNames.size(); ++index) {
    if (has(static_cast<Origin>(index))) {
      names.push(kOriginNames[index]);
    }
  }
  return names;
}

Result<OriginSet> OriginSet::from_json(const Json& value) {
  const std::string remedy =
      "write a list of `human`, `template`, `repository`, `model`, `network`";
  if (!value.is_array()) {
    return fail(ErrorKind::usage, "provenance.syntax", "origins are not a list", remedy);
  }
  OriginSet origins;
  for (const Json& item : value.as_array()) {
    bool known = false;
    for (std::size_t index = 0; item.is_string() && index < kOriginNames.size(); ++index) {
      if (item.as_string() == kOriginNames[index]) {
        const auto origin = static_cast<Origin>(index);
        if (origins.has(origin)) {
          return fail(ErrorKind::usage, "provenance.syntax",
                      "origin `" + item.as_string() + "` is named twice", "name each origin once");
        }
        origins.add(origin);
        known = true;
      }
    }
    if (!known) {
      const std::string name =
          item.is_string() ? "`" + printable(item.as_string()) + "`" : "a value";
      return fail(ErrorKind::usage, "provenance.syntax", name + " is not an origin", remedy);
    }
  }
  return origins;
}

}  // namespace rgx::templates
