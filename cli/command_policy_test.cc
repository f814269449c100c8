#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "base/canonical.h"
#include "base/text.h"
#include "base/yaml/reader.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/policy_layers.h"
#include "cli/policy_test_report.h"

namespace rgx::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTestFilesMax = 1000;
constexpr std::string_view kSuffix = ".test.yaml";
constexpr std::uint32_t kReportMode = 0644;

// Symbolic links are not followed, so that no folder is walked for ever.
Result<std::vector<std::string>> find_tests(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->path().native().ends_with(kSuffix)) {
      found.push_back(entry->path().native());
    }
  }
  if (error) {
    return fail(ErrorKind::usage, "file.unreadable",
                "`" + printable(folder) + "` cannot be read: " + errno_text(error.value()),
                "check its permissions");
  }
  if (found.empty() || found.size() > kTestFilesMax) {
    return fail(ErrorKind::usage, "policy.no_tests",
                "`" + printable(folder) + "` holds " + std::to_string(found.size()) + " files `*" +
                    std::string(kSuffix) + "`; 1 to " + std::to_string(kTestFilesMax) +
                    " can be run",
                "name the files of tests");
  }
  std::ranges::sort(found);
  return found;
}

Result<std::vector<std::string>> expand(const std::vector<std::string>& names) {
  std::vector<std::string> files;
  for (const std::string& name : names) {
    std::error_code ignored;  // what is no folder is read as a file, which says what is wrong
    if (!fs::is_directory(name, ignored)) {
      files.push_back(name);
      continue;
    }
    RGX_TRY(std::vector<std::string> found, find_tests(name));
    files.insert(files.end(), std::make_move_iterator(found.begin()),
                 std::make_move_iterator(found.end()));
  }
  return files;
}

Result<TestedFile> test_one(const std::string& file) {
  RGX_TRY(const std::string text, read_file({.path = file, .bytes_max = yaml::kFileBytesMax}));
  TestedFile tested;
  RGX_TRY(tested.tests, policy::load_test_file(text, file));
  tested.policy_file = (fs::path(file).parent_path() / tested.tests.policy).lexically_normal();
  RGX_TRY(policy::Policy loaded, load_policy_argument(tested.policy_file));
  RGX_TRY(tested.report, policy::run_tests(tested.tests, std::move(loaded)));
  return tested;
}

bool below_floor(const std::vector<TestedFile>& tested, std::int64_t floor) {
  return std::ranges::any_of(coverage_of(tested), [&](const PolicyCoverage& coverage) {
    return coverage.percent() < floor;
  });
}

}  // namespace

ExitCode run_policy_test(Session& session, const PolicyTestOptions& options) {
  const auto files = expand(options.files);
  if (!files) {
    return report(session, files.error());
  }
  ExitCode code = ExitCode::done;
  std::vector<TestedFile> tested;
  for (const std::string& file : *files) {
    auto one = test_one(file);
    if (one) {
      tested.push_back(std::move(*one));
    } else {
      code = worse(code, report(session, one.error()));
    }
  }
  if (failed_cases(tested) > 0 || below_floor(tested, options.coverage)) {
    code = worse(code, ExitCode::failed);
  }
  session.output.result(
      options.json ? canonical(test_report_json(tested)) + '\n'
                   : test_report_text(tested, options.coverage, session.output.result_colour()));
  if (options.junit) {
    if (const Status written =
            write_file(*options.junit, test_report_junit(tested), kReportMode, IfExists::replace);
        !written) {
      return worse(code, report(session, written.error()));
    }
  }
  return code;
}

}  // namespace rgx::cli
