#include "tests/tidy/code_view.h"

#include <algorithm>

namespace rgx::tidy {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\\";

class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source), view_{std::string(source), {}} {}

  CodeView run() {
    while (at_ < source_.size()) {
      step();
    }
    return std::move(view_);
  }

 private:
  void step() {
    const std::string_view rest = source_.substr(at_);
    if (rest.starts_with("//")) {
      blank_until(source_.find('\n', at_));
    } else if (rest.starts_with("/*")) {
      const std::size_t end = source_.find("*/", at_ + 2);
      blank_until(end == std::string_view::npos ? end : end + 2);
    } else if (rest.starts_with("R\"") && (at_ == 0 || !is_word(source_[at_ - 1]))) {
      raw_string();
    } else if (rest.front() == '"') {
      quoted('"');
    } else if (rest.front() == '\'' && (at_ == 0 || !is_word(source_[at_ - 1]))) {
      quoted('\'');
    } else {
      ++at_;
    }
  }

  void quoted(char quote) {
    std::size_t end = at_ + 1;
    while (end < source_.size() && source_[end] != quote && source_[end] != '\n') {
      end += source_[end] == '\\' ? 2U : 1U;
    }
    end = std::min(end, source_.size());
    if (quote == '"') {
      view_.literals.push_back({at_, source_.substr(at_ + 1, end - at_ - 1)});
    }
    blank_until(end + 1);
  }

  void raw_string() {
    const std::size_t open = source_.find('(', at_);
    if (open == std::string_view::npos) {
      at_ += 2;
      return;
    }
    const std::string close = ')' + std::string(source_.substr(at_ + 2, open - at_ - 2)) + '"';
    const std::size_t end = std::min(source_.find(close, open), source_.size());
    view_.literals.push_back({at_, source_.substr(open + 1, end - open - 1)});
    blank_until(end + close.size());
  }

  // Replaces what lies before `end` with blanks, line feeds excepted.
  void blank_until(std::size_t end) {
    for (end = std::min(end, source_.size()); at_ < end; ++at_) {
      if (source_[at_] != '\n') {
        view_.code[at_] = ' ';
      }
    }
  }

  std::string_view source_;
  CodeView view_;
  std::size_t at_ = 0;
};

}  // namespace

CodeView view_code(std::string_view source) {
  return Scanner(source).run();
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::size_t last_before(std::string_view code, std::size_t offset) {
  return offset == 0 ? std::string_view::npos : code.find_last_not_of(kBlanks, offset - 1);
}

std::size_t first_from(std::string_view code, std::size_t offset) {
  return code.find_first_not_of(kBlanks, offset);
}

}  // namespace rgx::tidy
