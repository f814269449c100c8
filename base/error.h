#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What went wrong, told to a person: where, why, and what to do about it.
// A negative answer (denied, does not verify) is not an Error but a value of its own.

namespace rgx {

/// Why an operation failed; `cli` maps each kind to exactly one exit code.
enum class ErrorKind : std::uint8_t {
  usage,        ///< wrong arguments or unreadable, malformed input (exit 2)
  environment,  ///< something this machine lacks: kernel feature, key, disk, permission (exit 7)
  drift,        ///< the world is not the one the plan was compiled for (exit 8)
  evidence,     ///< stored evidence contradicts itself (exit 4)
  failed,       ///< a step or check did its work and the answer was no (exit 1)
  internal,     ///< a bug in rgx (exit 70)
};

/// A position in a named text; line and column are 1-based (column counts bytes), 0 = unknown.
struct Place {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  bool operator==(const Place&) const = default;
};

/// `file:line:column`, leaving out what is unknown.
[[nodiscard]] std::string to_string(const Place& place);

/// One mistake. `code` is dotted and forever (`policy.unknown_key`), listed in docs/codes.md.
/// `message` is one line, lower case, no full stop, user input in backticks.
struct Diagnostic {
  std::string code;
  std::string message;
  std::string remedy;  ///< what the reader can do; may be empty where nothing helps
  Place place;

  bool operator==(const Diagnostic&) const = default;
};

/// One failure with all its mistakes, in the order a reader meets them. INVARIANT: never empty.
struct Error {
  ErrorKind kind = ErrorKind::internal;
  std::vector<Diagnostic> diagnostics;

  [[nodiscard]] const Diagnostic& first() const { return diagnostics.front(); }
  bool operator==(const Error&) const = default;
};

[[nodiscard]] Error make_error(ErrorKind kind, std::string_view code, std::string_view message,
                               std::string_view remedy = {}, Place place = {});

/// Orders mistakes by line and column; those at one place keep their order.
void sort_by_place(std::vector<Diagnostic>& diagnostics);

/// Human form: `place: message [code]`, an indented remedy line each; control characters escaped.
[[nodiscard]] std::string to_string(const Error& error);

}  // namespace rgx
