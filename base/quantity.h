#pragma once

#include <compare>
#include <cstdint>
#include <optional>

// Integer quantities with a unit in their type; arithmetic is checked, never wraps, never floats.

namespace rgx {

template <class Unit>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(std::int64_t value) : value_(value) {}

  [[nodiscard]] constexpr std::int64_t value() const { return value_; }

  /// Sum, or nothing when it would not fit.
  [[nodiscard]] constexpr std::optional<Quantity> plus(Quantity other) const {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(value_, other.value_, &sum)) {
      return std::nullopt;
    }
    return Quantity(sum);
  }
  [[nodiscard]] constexpr std::optional<Quantity> minus(Quantity other) const {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(value_, other.value_, &difference)) {
      return std::nullopt;
    }
    return Quantity(difference);
  }
  constexpr auto operator<=>(const Quantity&) const = default;

 private:
  std::int64_t value_ = 0;
};

using Milliseconds = Quantity<struct MillisecondsUnit>;
using ByteCount = Quantity<struct ByteUnit>;
using Tokens = Quantity<struct TokenUnit>;
using MicroDollars = Quantity<struct MicroDollarUnit>;  ///< 1 US dollar = 1,000,000
using Count = Quantity<struct CountUnit>;

}  // namespace rgx
