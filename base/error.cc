#include "base/error.h"

#include "base/text.h"

namespace rgx {

std::string to_string(const Place& place) {
  std::string text = escape_controls(place.file);
  if (place.line != 0) {
    text += text.empty() ? "" : ":";
    text += std::to_string(place.line);
    if (place.column != 0) {
      text += ":" + std::to_string(place.column);
    }
  }
  return text;
}

Error make_error(ErrorKind kind, std::string_view code, std::string_view message,
                 std::string_view remedy, Place place) {
  return Error{.kind = kind,
               .diagnostics = {Diagnostic{.code = std::string(code),
                                          .message = std::string(message),
                                          .remedy = std::string(remedy),
                                          .place = std::move(place)}}};
}

std::string to_string(const Error& error) {
  std::string text;
  for (const Diagnostic& diagnostic : error.diagnostics) {
    if (!text.empty()) {
      text += "\n";
    }
    const std::string place = to_string(diagnostic.place);
    if (!place.empty()) {
      text += place + ": ";
    }
    text += escape_controls(diagnostic.message) + " [" + escape_controls(diagnostic.code) + "]";
    if (!diagnostic.remedy.empty()) {
      text += "\n  " + escape_controls(diagnostic.remedy);
    }
  }
  return text;
}

}  // namespace rgx
