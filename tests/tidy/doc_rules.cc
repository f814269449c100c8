#include "tests/tidy/doc_rules.h"

#include "tests/tidy/code_view.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <vector>

namespace rgx::tidy {
namespace {

constexpr std::string_view kCodesPage = "docs/codes.md";
constexpr std::string_view kExitCodesPage = "docs/exit-codes.md";
constexpr std::string_view kExitCodesHeader = "cli/exit_code.h";

bool is_lower_word(std::string_view text) {
  return !text.empty() && text.front() >= 'a' && text.front() <= 'z' &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
         });
}

bool is_code_text(std::string_view text) {
  const std::size_t dot = text.find('.');
  return dot != std::string_view::npos && is_lower_word(text.substr(0, dot)) &&
         is_lower_word(text.substr(dot + 1));
}

std::string_view word_ending_at(std::string_view code, std::size_t last) {
  std::size_t begin = last + 1;
  while (begin > 0 && is_word(code[begin - 1])) {
    --begin;
  }
  return code.substr(begin, last + 1 - begin);
}

bool names_a_failure(std::string_view callee) {
  static constexpr std::array<std::string_view, 5> kParts = {"error", "fail", "diagnos", "mistake",
                                                             "complain"};
  return callee == "Diagnostic" ||
         std::any_of(kParts.begin(), kParts.end(), [callee](std::string_view part) {
           return callee.find(part) != std::string_view::npos;
         });
}

// The offset of the parenthesis or brace that `offset` is inside of, or npos.
std::size_t enclosing_bracket(std::string_view code, std::size_t offset) {
  std::size_t depth = 0;
  for (std::size_t at = offset; at > 0; --at) {
    const char c = code[at - 1];
    if (c == ')' || c == '}') {
      ++depth;
    } else if (c == '(' || c == '{') {
      if (depth == 0) {
        return at - 1;
      }
      --depth;
    } else if (c == ';') {
      return std::string_view::npos;
    }
  }
  return std::string_view::npos;
}

bool is_code_use(const CodeView& view, std::size_t index) {
  const std::string_view code = view.code;
  const std::size_t offset = view.literals[index].offset;
  const std::size_t last = last_before(code, offset);
  if (last == std::string_view::npos) {
    return false;
  }
  if (code[last] == '=') {
    const std::size_t name = last_before(code, last);
    return name != std::string_view::npos && word_ending_at(code, name) == "code";
  }
  const std::size_t open = enclosing_bracket(code, offset);
  if (open == std::string_view::npos) {
    return false;
  }
  const bool is_first = index == 0 || view.literals[index - 1].offset < open;
  const std::size_t name = last_before(code, open);
  if (!is_first || name == std::string_view::npos) {
    return false;
  }
  const std::string_view callee = word_ending_at(code, name);
  // `Diagnostic wrong{"..."}` has its type one word further left.
  const std::size_t type = last_before(code, name + 1 - callee.size());
  return names_a_failure(callee) ||
         (type != std::string_view::npos && word_ending_at(code, type) == "Diagnostic");
}

// The cells of a table row, without the blanks around them; empty for other lines.
std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  if (!line.starts_with('|')) {
    return cells;
  }
  line.remove_prefix(1);
  while (!line.empty()) {
    const std::size_t end = std::min(line.find('|'), line.size());
    std::string_view cell = line.substr(0, end);
    while (cell.starts_with(' ')) {
      cell.remove_prefix(1);
    }
    while (cell.ends_with(' ')) {
      cell.remove_suffix(1);
    }
    cells.push_back(cell);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return cells;
}

std::string_view without_backticks(std::string_view cell) {
  if (cell.size() > 2 && cell.starts_with('`') && cell.ends_with('`')) {
    return cell.substr(1, cell.size() - 2);
  }
  return cell;
}

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The numbers in `name = number` of an enumeration.
std::set<std::string, std::less<>> enumerator_values(std::string_view header) {
  std::set<std::string, std::less<>> values;
  const std::string code = view_code(header).code;
  const std::size_t begin = code.find("enum class ExitCode");
  if (begin == std::string::npos) {
    return values;
  }
  const std::string_view body = std::string_view(code).substr(begin, code.find('}', begin) - begin);
  for (std::size_t at = body.find('='); at != std::string_view::npos; at = body.find('=', at + 1)) {
    const std::size_t first = first_from(body, at + 1);
    std::size_t end = first;
    while (end < body.size() && is_word(body[end])) {
      ++end;
    }
    if (first != std::string_view::npos && is_number(body.substr(first, end - first))) {
      values.emplace(body.substr(first, end - first));
    }
  }
  return values;
}

std::set<std::string, std::less<>> table_numbers(std::string_view page) {
  std::set<std::string, std::less<>> numbers;
  for (const std::string_view line : lines_of(page)) {
    const auto cells = cells_of(line);
    if (!cells.empty() && is_number(without_backticks(cells.front()))) {
      numbers.emplace(without_backticks(cells.front()));
    }
  }
  return numbers;
}

// The anchor that renderers make of a heading: lower case, blanks to hyphens, punctuation gone.
std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    if (c == ' ') {
      anchor += '-';
    } else if (c >= 'A' && c <= 'Z') {
      anchor += static_cast<char>(c - 'A' + 'a');
    } else if (is_word(c) || c == '-' || (static_cast<unsigned char>(c) & 0x80U) != 0) {
      anchor += c;
    }
  }
  return anchor;
}

bool has_anchor(std::string_view page, std::string_view anchor) {
  for (std::string_view line : lines_of(page)) {
    const std::size_t text = line.find_first_not_of('#');
    if (text != 0 && text != std::string_view::npos && line[text] == ' ' &&
        anchor_of(line.substr(text + 1)) == anchor) {
      return true;
    }
  }
  return false;
}

bool folder_exists(const Tree& tree, std::string_view folder) {
  const std::string prefix = std::string(folder) + '/';
  const auto found = tree.lower_bound(prefix);
  return found != tree.end() && found->first.starts_with(prefix);
}

// Why a link does not resolve, or empty.
std::string broken_link(const Tree& tree, std::string_view path, std::string_view target) {
  if (target.find("://") != std::string_view::npos || target.starts_with("mailto:")) {
    return {};
  }
  const std::size_t hash = std::min(target.find('#'), target.size());
  std::string file(path);
  if (hash != 0) {
    const std::filesystem::path joined =
        std::filesystem::path(folder_of(path)) / std::string(target.substr(0, hash));
    file = joined.lexically_normal().generic_string();
    if (file.ends_with('/')) {
      file.pop_back();
    }
  }
  const auto found = tree.find(file);
  if (found == tree.end()) {
    return folder_exists(tree, file) ? std::string{} : "link to `" + file + "`, which is not there";
  }
  if (hash < target.size() && file.ends_with(".md") &&
      !has_anchor(found->second, target.substr(hash + 1))) {
    return "no heading for `" + std::string(target.substr(hash)) + "` in `" + file + "`";
  }
  return {};
}

// Blanks `code` spans, in which brackets mean nothing.
std::string without_spans(std::string_view line) {
  std::string kept;
  bool is_span = false;
  for (const char c : line) {
    is_span = c == '`' ? !is_span : is_span;
    kept += is_span ? ' ' : c;
  }
  return kept;
}

}  // namespace

CodeUses find_codes(const Tree& tree) {
  CodeUses uses;
  for (const auto& [path, text] : tree) {
    if (!is_cxx(path) || package_of(path).empty()) {
      continue;
    }
    const CodeView view = view_code(text);
    for (std::size_t i = 0; i < view.literals.size(); ++i) {
      const Literal& literal = view.literals[i];
      if (is_code_text(literal.text) && is_code_use(view, i)) {
        uses.try_emplace(std::string(literal.text),
                         Finding{path, line_of(text, literal.offset), {}});
      }
    }
  }
  return uses;
}

std::set<std::string, std::less<>> documented_codes(std::string_view codes_page) {
  std::set<std::string, std::less<>> codes;
  for (const std::string_view line : lines_of(codes_page)) {
    const auto cells = cells_of(line);
    if (!cells.empty() && is_code_text(without_backticks(cells.front()))) {
      codes.emplace(without_backticks(cells.front()));
    }
  }
  return codes;
}

Findings check_codes(const Tree& tree) {
  Findings findings;
  const auto page = tree.find(kCodesPage);
  const auto documented =
      documented_codes(page == tree.end() ? std::string_view{} : std::string_view(page->second));
  for (const auto& [code, use] : find_codes(tree)) {
    if (!documented.contains(code)) {
      findings.push_back(
          {use.path, use.line, "code `" + code + "` has no row in " + std::string(kCodesPage)});
    }
  }
  std::set<std::string, std::less<>> literals;
  for (const auto& [path, text] : tree) {
    if (is_cxx(path) && !package_of(path).empty()) {
      for (const Literal& literal : view_code(text).literals) {
        literals.emplace(literal.text);
      }
    }
  }
  for (const std::string& code : documented) {
    if (!literals.contains(code)) {
      findings.push_back({std::string(kCodesPage), 0, "code `" + code + "` is used nowhere"});
    }
  }
  return findings;
}

Findings check_exit_codes(const Tree& tree) {
  const auto header = tree.find(kExitCodesHeader);
  if (header == tree.end()) {
    return {};
  }
  const auto page = tree.find(kExitCodesPage);
  if (page == tree.end()) {
    return {{std::string(kExitCodesPage), 0, "the table of exit codes is missing"}};
  }
  Findings findings;
  const auto values = enumerator_values(header->second);
  const auto rows = table_numbers(page->second);
  if (values.empty()) {
    findings.push_back({header->first, 0, "no enumerators with numbers in `enum class ExitCode`"});
  }
  for (const std::string& value : values) {
    if (!rows.contains(value)) {
      findings.push_back({page->first, 0, "exit code " + value + " has no row"});
    }
  }
  for (const std::string& row : rows) {
    if (!values.contains(row)) {
      findings.push_back({header->first, 0, "exit code " + row + " is documented but not there"});
    }
  }
  return findings;
}

Findings check_links(const Tree& tree, std::string_view path) {
  Findings findings;
  const auto page = tree.find(path);
  if (page == tree.end() || !path.ends_with(".md")) {
    return findings;
  }
  bool is_fenced = false;
  const auto lines = lines_of(page->second);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("```")) {
      is_fenced = !is_fenced;
    }
    if (is_fenced) {
      continue;
    }
    const std::string line = without_spans(lines[i]);
    for (std::size_t at = line.find("]("); at != std::string::npos; at = line.find("](", at + 1)) {
      const std::size_t end = line.find(')', at);
      if (end == std::string::npos) {
        break;
      }
      const std::string why =
          broken_link(tree, path, std::string_view(line).substr(at + 2, end - at - 2));
      if (!why.empty()) {
        findings.push_back({std::string(path), i + 1, why});
      }
    }
  }
  return findings;
}

}  // namespace rgx::tidy
