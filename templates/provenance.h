#pragma once

#include "base/json.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

// Where a value came from, so that policy can say who may pick a path, a command or a host.

namespace rgx::templates {

enum class Origin : std::uint8_t { human, template_, repository, model, network };
inline constexpr std::array<std::string_view, 5> kOriginNames = {"human", "template", "repository",
                                                                 "model", "network"};
[[nodiscard]] std::string_view to_string(Origin origin);

/// A set of origins; a value made of several values has the union of theirs.
class OriginSet {
 public:
  OriginSet() = default;
  OriginSet(Origin origin) : bits_(bit(origin)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool empty() const { return bits_ == 0; }
  [[nodiscard]] bool has(Origin origin) const { return (bits_ & bit(origin)) != 0; }
  [[nodiscard]] bool within(OriginSet allowed) const { return (bits_ & ~allowed.bits_) == 0; }
  void add(OriginSet other) { bits_ = static_cast<std::uint8_t>(bits_ | other.bits_); }

  /// Names in the order of the enum.
  [[nodiscard]] Json to_json() const;
  [[nodiscard]] static Result<OriginSet> from_json(const Json& value);
  bool operator==(const OriginSet&) const = default;

 private:
  static std::uint8_t bit(Origin origin) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(origin));
  }
  std::uint8_t bits_ = 0;
};

/// A value and its origins.
struct Value {
  Json json;
  OriginSet origins;

  bool operator==(const Value&) const = default;
};

/// The axes of a step's effects. `content` is what is written, without a grant of its own.
enum class Axis : std::uint8_t { argv, read, write, refs, hosts, env, content };
inline constexpr std::array<std::string_view, 7> kAxisNames = {"argv",  "read", "write",  "refs",
                                                               "hosts", "env",  "content"};
[[nodiscard]] std::string_view to_string(Axis axis);

/// Origins per axis; an axis that is absent is `human` (a request a person typed).
using Provenance = std::map<Axis, OriginSet>;

}  // namespace rgx::templates
