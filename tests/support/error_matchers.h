#pragma once

#include "base/result.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

// Assertions on results: a negative test names the code *and* the message.

namespace rgx::test {

/// The error of a result in its human form, or an empty text for success.
template <class T>
[[nodiscard]] std::string error_text(const Result<T>& result) {
  return result.has_value() ? std::string() : to_string(result.error());
}

template <class T>
[[nodiscard]] testing::AssertionResult accepted(const Result<T>& result) {
  if (result.has_value()) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << error_text(result);
}

/// The result is an error whose first mistake has this code, and its human form contains `text`.
template <class T>
[[nodiscard]] testing::AssertionResult refused(const Result<T>& result, std::string_view code,
                                               std::string_view text) {
  if (result.has_value()) {
    return testing::AssertionFailure() << "was accepted, instead of " << code;
  }
  if (result.error().diagnostics.empty()) {
    return testing::AssertionFailure() << "is an error without a mistake";
  }
  if (result.error().first().code != code) {
    return testing::AssertionFailure() << "expected " << code << " but: " << error_text(result);
  }
  if (error_text(result).find(text) == std::string::npos) {
    return testing::AssertionFailure() << "no `" << text << "` in: " << error_text(result);
  }
  return testing::AssertionSuccess();
}

}  // namespace rgx::test
