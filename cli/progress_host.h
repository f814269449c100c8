#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/progress.h"

namespace rgx::cli {

/// Lines that a log's host understands: GitHub folds the output of a failed step and lists it as
/// an error, Buildkite opens its section. Elsewhere all of these are empty.
///
/// On GitHub any line may be taken for a command, also one that a step printed or a file name
/// holds. So commands are off (`::stop-commands::TOKEN`) except while one of ours is printed; each
/// token is new and follows from a secret that the steps do not know.
class HostMarks {
 public:
  /// Without a secret (`fence` is empty) GitHub's marks are left out.
  HostMarks(LogHost host, std::string fence);

  [[nodiscard]] std::string begin();
  [[nodiscard]] std::string before_failure(std::string_view step);
  [[nodiscard]] std::string begin_output(std::string_view step);
  [[nodiscard]] std::string end_output();
  [[nodiscard]] std::string after_failure(std::string_view step, std::string_view summary);
  [[nodiscard]] std::string end();

 private:
  [[nodiscard]] std::string stop_commands();
  [[nodiscard]] std::string allow_commands() const;
  [[nodiscard]] std::string command(std::string_view line);

  LogHost host_;
  std::string fence_;
  std::string token_;
  std::uint64_t tokens_ = 0;
};

}  // namespace rgx::cli
