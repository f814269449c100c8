#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/git_places.h"
#include "engine/process.h"

// The program git of this system, for repositories that libgit2 cannot read: held by the sandbox
// to the repository, without network, with an environment of its own, and so that nothing which
// the repository configures is ever started. Private to the package.

namespace rgx::engine {

/// What one call came to.
struct GitAnswer {
  int status = 0;
  std::string out;
  std::string err;
  SandboxStrength sandbox = SandboxStrength::none;
};

/// Beyond reading.
struct GitCall {
  bool writes = false;                       ///< into the repository, never into the work tree
  std::map<std::string, std::string> env{};  ///< in addition
};

class GitProgram {
 public:
  /// `why` is said when none of the candidates can be used. Errors: repository.needs_git,
  /// repository.git_too_old, repository.foreign_owner, repository.broken, repository.elsewhere.
  [[nodiscard]] static Result<GitProgram> open(
      GitPlaces places, std::string_view why, ProcessRunner& processes,
      const std::vector<std::string>& candidates = system_git_paths());
  /// Where git is looked for; no variable moves it.
  [[nodiscard]] static const std::vector<std::string>& system_git_paths();

  /// Any exit status. Errors: repository.git_failed when it did not end by itself or said more
  /// than is taken.
  [[nodiscard]] Result<GitAnswer> ask(const std::vector<std::string>& arguments,
                                      const GitCall& call = {}) const;
  /// What it printed; every status but 0 is the error that failed() makes of it.
  [[nodiscard]] Result<std::string> tell(const std::vector<std::string>& arguments,
                                         std::string_view what, const GitCall& call = {}) const;
  /// tell() of arguments and paths, in as many calls as the paths need; what was printed, joined.
  [[nodiscard]] Result<std::string> tell_of(const std::vector<std::string>& arguments,
                                            const std::vector<std::string>& paths,
                                            std::string_view what, const GitCall& call = {}) const;
  /// Errors: repository.git_too_old, repository.not_fetched, else repository.broken.
  [[nodiscard]] tl::unexpected<Error> failed(std::string_view what, const GitAnswer& answer) const;

  [[nodiscard]] const GitPlaces& places() const { return places_; }
  [[nodiscard]] const std::string& version() const { return version_; }  ///< `2.39.5`
  [[nodiscard]] const std::string& path() const { return program_; }
  /// What held the first call, and holds the others.
  [[nodiscard]] SandboxStrength sandbox() const { return sandbox_; }
  /// A setting of the repository, the last one of its name; `otherwise` where it is empty or unset.
  [[nodiscard]] std::string setting(const std::string& name, const std::string& otherwise) const;

 private:
  GitProgram(GitPlaces places, std::string program, ProcessRunner& processes)
      : places_(std::move(places)),
        program_(std::move(program)),
        processes_(&processes) {}
  [[nodiscard]] Status read_settings();
  [[nodiscard]] Status check_work_tree() const;
  [[nodiscard]] ProcessSpec spec(const std::vector<std::string>& arguments,
                                 const GitCall& call) const;

  GitPlaces places_;
  std::string program_;
  ProcessRunner* processes_;
  std::string version_;
  SandboxStrength sandbox_ = SandboxStrength::none;
  std::map<std::string, std::string> settings_;
  std::vector<std::string> filters_;  ///< names of drivers, all turned off
};

/// Whether a call worked whose words say nothing more.
[[nodiscard]] Status status_of(const Result<std::string>& told);

/// Splits what was printed with `-z`.
[[nodiscard]] std::vector<std::string> split_records(std::string_view text);

}  // namespace rgx::engine
