#pragma once

#include "templates/catalog.h"
#include "templates/template.h"

#include <gtest/gtest.h>

#include <vector>

namespace rgx::planner {

/// The shipped templates, parsed once.
inline const std::vector<templates::Template>& shipped() {
  static const std::vector<templates::Template> kAll = [] {
    std::vector<templates::Template> all;
    for (const EmbeddedFile& file : templates::catalog()) {
      auto parsed = templates::parse_template(file.bytes, file.name);
      EXPECT_TRUE(parsed.has_value()) << file.name;
      all.push_back(std::move(*parsed));
    }
    return all;
  }();
  return kAll;
}

inline const templates::Template& api_replace() {
  for (const templates::Template& source : shipped()) {
    if (source.name == "api-replace") {
      return source;
    }
  }
  ADD_FAILURE() << "api-replace is not shipped";
  return shipped().front();
}

/// A template made for one test.
inline templates::Template parsed_template(std::string_view text) {
  auto parsed = templates::parse_template(text, "t.yaml");
  EXPECT_TRUE(parsed.has_value()) << to_string(parsed.error());
  return parsed ? *parsed : templates::Template{};
}

}  // namespace rgx::planner
