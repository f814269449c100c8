#pragma once

#include <tl/expected.hpp>
#include <utility>

#include "base/error.h"

// `Result<T>` is either a T or an Error; it must be looked at. Becomes std::expected with C++23.

namespace rgx {

template <class T>
using Result = tl::expected<T, Error>;

/// The result of an operation that only succeeds or fails.
using Status = Result<void>;

/// A failure to return from a function with a Result.
[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorKind kind, std::string_view code,
                                                std::string_view message,
                                                std::string_view remedy = {}, Place place = {}) {
  return fail(make_error(kind, code, message, remedy, std::move(place)));
}

}  // namespace rgx

#define RGX_CONCAT_(a, b) a##b
#define RGX_CONCAT(a, b) RGX_CONCAT_(a, b)

/// `RGX_TRY(auto value, expression);` declares `value` or returns the expression's error.
#define RGX_TRY(declaration, ...) RGX_TRY_(RGX_CONCAT(rgx_try_, __LINE__), declaration, __VA_ARGS__)
#define RGX_TRY_(name, declaration, ...)         \
  auto name = (__VA_ARGS__);                     \
  if (!name) {                                   \
    return ::rgx::fail(std::move(name).error()); \
  }                                              \
  declaration = std::move(*name)

/// `RGX_TRY_STATUS(expression);` returns the expression's error, if any.
#define RGX_TRY_STATUS(...)                              \
  do {                                                   \
    if (auto rgx_status = (__VA_ARGS__); !rgx_status) {  \
      return ::rgx::fail(std::move(rgx_status).error()); \
    }                                                    \
  } while (false)
