#include "tests/tidy/file_rules.h"

#include "tests/tidy/code_view.h"

#include <array>
#include <cstddef>
#include <string>

namespace rgx::tidy {
namespace {

constexpr std::size_t kHeaderLinesMax = 250;
constexpr std::size_t kSourceLinesMax = 800;
constexpr std::size_t kColumnsMax = 100;

bool is_code(std::string_view path) {
  return is_cxx(path) || path.ends_with(".cmake") || path.ends_with("CMakeLists.txt") ||
         path.ends_with(".sh") || path.starts_with("scripts/") || path.starts_with(".ci/");
}

bool is_text(std::string_view path) {
  return is_code(path) || path.ends_with(".md") || path.ends_with(".yaml") ||
         path.ends_with(".json") || path.ends_with(".txt");
}

// Code points, so that a line of Chinese is as long as it has characters.
std::size_t columns_of(std::string_view line) {
  std::size_t columns = 0;
  for (const char c : line) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
    columns += continues ? 0U : 1U;
  }
  return columns;
}

bool is_whole_word(std::string_view text, std::size_t at, std::size_t size) {
  return (at == 0 || !is_word(text[at - 1])) &&
         (at + size == text.size() || !is_word(text[at + size]));
}

struct Word {
  // In two parts, so that this table does not find itself.
  std::string_view first;
  std::string_view second;
  bool whole;
  std::string_view remedy;
};

constexpr std::string_view kUnfinished = "finish it, or leave it out";
constexpr std::string_view kPlace = "name nothing of the machine that the code was written on";

constexpr std::array<Word, 8> kWords = {{
    {"TO", "DO", true, kUnfinished},
    {"FIX", "ME", true, kUnfinished},
    {"XX", "X", true, kUnfinished},
    {"not ", "implemented", false, kUnfinished},
    {"not yet ", "implemented", false, kUnfinished},
    {"unimple", "mented", false, kUnfinished},
    {"/wo", "rk/", false, kPlace},
    {"../sha", "red", false, "tests find vectors through RGX_SHARED_DIR"},
}};

}  // namespace

Findings check_sizes(std::string_view path, std::string_view text) {
  Findings findings;
  if (!is_code(path)) {
    return findings;
  }
  const auto lines = lines_of(text);
  const std::size_t lines_max = is_header(path) ? kHeaderLinesMax : kSourceLinesMax;
  if (lines.size() > lines_max) {
    findings.push_back({std::string(path), 0,
                        std::to_string(lines.size()) + " lines, of which " +
                            std::to_string(lines_max) + " are allowed; split it by concept"});
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (const std::size_t columns = columns_of(lines[i]); columns > kColumnsMax) {
      findings.push_back({std::string(path), i + 1,
                          std::to_string(columns) + " columns, of which " +
                              std::to_string(kColumnsMax) + " are allowed"});
    }
  }
  return findings;
}

Findings check_whitespace(std::string_view path, std::string_view text) {
  Findings findings;
  if (!is_text(path)) {
    return findings;
  }
  const auto lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    // A script may write a makefile, whose recipes begin with one tab.
    const bool is_recipe = path.ends_with(".sh") && line.starts_with('\t');
    if (line.find('\t', is_recipe ? 1 : 0) != std::string_view::npos) {
      findings.push_back({std::string(path), i + 1, "a tab; indent with spaces"});
    }
    if (line.ends_with('\r')) {
      findings.push_back({std::string(path), i + 1, "a carriage return; end lines with LF"});
    } else if (line.ends_with(' ')) {
      findings.push_back({std::string(path), i + 1, "blanks at the end of the line"});
    }
  }
  if (!text.empty() && (!text.ends_with('\n') || text.ends_with("\n\n"))) {
    findings.push_back({std::string(path), lines.size(), "end the file with exactly one LF"});
  }
  if (is_header(path) && !text.starts_with("#pragma once\n")) {
    findings.push_back({std::string(path), 1, "a header starts with `#pragma once`"});
  }
  return findings;
}

Findings check_words(std::string_view path, std::string_view text) {
  Findings findings;
  // RgxOptions.cmake says where the vectors are by default: the one place that may.
  if (!is_text(path) || path == "cmake/RgxOptions.cmake") {
    return findings;
  }
  for (const Word& entry : kWords) {
    const std::string word = std::string(entry.first) + std::string(entry.second);
    for (std::size_t at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + 1)) {
      if (!entry.whole || is_whole_word(text, at, word.size())) {
        findings.push_back(
            {std::string(path), line_of(text, at), "`" + word + "`; " + std::string(entry.remedy)});
      }
    }
  }
  return findings;
}

Findings check_suppressions(std::string_view path, std::string_view text) {
  Findings findings;
  if (!is_cxx(path)) {
    return findings;
  }
  static constexpr std::string_view kMark =
      "// NOLI"
      "NT";
  for (std::size_t at = text.find(kMark); at != std::string_view::npos;
       at = text.find(kMark, at + 1)) {
    std::size_t end = at + kMark.size();
    while (end < text.size() && is_word(text[end])) {
      ++end;
    }
    if (end == text.size() || text[end] != '(') {
      findings.push_back({std::string(path), line_of(text, at),
                          "a suppression without a check's name; write `NOLINT(check-name)`"});
    }
  }
  return findings;
}

}  // namespace rgx::tidy
