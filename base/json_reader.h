#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

// Strict reading of a JSON object of a known shape: every member is asked for, the rest is an
// error. Used for every stored format (plan, ledger, approval, ...), so that an unknown field
// never passes unseen.

namespace rgx {

/// Reads members of one object and collects all mistakes. `what` names the object in messages
/// (`plan.steps[3]`). Call `finish()` last: it reports members nobody asked for
/// (json.unknown_member), wrong types (json.type) and missing ones (json.missing_member).
class ObjectReader {
 public:
  ObjectReader(const Json& value, std::string what);

  [[nodiscard]] std::string string(std::string_view key);
  [[nodiscard]] std::optional<std::string> optional_string(std::string_view key);
  [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t min = 0,
                                     std::int64_t max = Json::kIntegerMax);
  [[nodiscard]] std::optional<std::int64_t> optional_integer(std::string_view key,
                                                             std::int64_t min = 0,
                                                             std::int64_t max = Json::kIntegerMax);
  [[nodiscard]] bool boolean(std::string_view key);
  [[nodiscard]] std::vector<std::string> strings(std::string_view key);
  /// The member itself, or null JSON after recording the mistake.
  [[nodiscard]] const Json& value(std::string_view key);
  [[nodiscard]] const Json* optional_value(std::string_view key);
  [[nodiscard]] const Json::Array& array(std::string_view key);
  [[nodiscard]] const Json::Object& object(std::string_view key);
  /// Requires member `schema` to equal `expected` (json.schema otherwise).
  void schema(std::string_view expected);
  /// Records a mistake of the caller's own about member `key`.
  void mistake(std::string_view code, std::string_view key, std::string_view message);
  /// Name of a member for messages: `what.key`.
  [[nodiscard]] std::string name(std::string_view key) const;

  /// All mistakes so far as one usage error, or success.
  [[nodiscard]] Status finish();

 private:
  const Json* ask(std::string_view key, bool required);
  const Json* typed(std::string_view key, Json::Kind kind, bool required);

  const Json& value_;
  std::string what_;
  std::set<std::string, std::less<>> asked_;
  std::vector<Diagnostic> mistakes_;
};

}  // namespace rgx
