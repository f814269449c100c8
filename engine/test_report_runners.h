#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/test_report.h"

// One reader for each runner; each sees every line and takes its own. Private to the package.

namespace rgx::engine {

class TestReader {
 public:
  explicit TestReader(std::string_view runner) { report_.runner = runner; }
  virtual ~TestReader() = default;
  TestReader(const TestReader&) = delete;
  TestReader& operator=(const TestReader&) = delete;
  TestReader(TestReader&&) = delete;
  TestReader& operator=(TestReader&&) = delete;

  /// `number` counts from 1.
  virtual void line(std::string_view text, std::size_t number) = 0;
  /// Where the result stands; 0 = the runner came to none.
  [[nodiscard]] std::size_t result_line() const { return result_line_; }
  [[nodiscard]] const TestReport& report() const { return report_; }

 protected:
  void note_failure(std::string_view name);
  void note_result(std::size_t number) { result_line_ = number; }

  TestReport report_;

 private:
  std::size_t result_line_ = 0;
};

[[nodiscard]] std::vector<std::unique_ptr<TestReader>> make_test_readers();

}  // namespace rgx::engine
