#include "base/error.h"

#include "base/text.h"

#include <map>
#include <utility>

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

void sort_by_place(std::vector<Diagnostic>& diagnostics) {
  // Not std::stable_sort: what libstdc++ 12 has inside it is deprecated for newer compilers.
  std::multimap<std::pair<std::uint32_t, std::uint32_t>, Diagnostic> sorted;
  for (Diagnostic& each : diagnostics) {
    const std::pair place(each.place.line, each.place.column);
    sorted.emplace(place, std::move(each));
  }
  diagnostics.clear();
  for (auto& [place, each] : sorted) {
    diagnostics.push_back(std::move(each));
  }
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
