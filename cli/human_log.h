#pragma once

#include <cstdio>
#include <memory>
#include <string_view>

namespace rgx::cli {

/// Lines for people, one after the other from any thread, each written at once and as a whole.
/// A stream that nobody can write to any more is no error: what was said is not a result.
class HumanLog {
 public:
  explicit HumanLog(std::FILE* file);
  ~HumanLog();
  HumanLog(const HumanLog&) = delete;
  HumanLog& operator=(const HumanLog&) = delete;
  HumanLog(HumanLog&&) = delete;
  HumanLog& operator=(HumanLog&&) = delete;

  /// Writes `line` and a line feed. The caller has escaped what must be.
  void write(std::string_view line);

 private:
  struct Logger;
  std::FILE* file_;
  std::unique_ptr<Logger> logger_;  // made when something is first said
};

}  // namespace rgx::cli
