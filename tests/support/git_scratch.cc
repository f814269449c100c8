#include "tests/support/git_scratch.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace rgx::test {

bool GitScratch::shell(std::string_view folder, std::string_view script) const {
  const std::string file = scratch_.write("script", "set -eu\n" + std::string(script) + "\n");
  const std::string command =
      "cd '" + scratch_ / folder +
      "' && env -i PATH=/usr/bin:/bin GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null "
      "HOME=/nonexistent GIT_AUTHOR_DATE='2026-01-01T00:00:00Z' "
      "GIT_COMMITTER_DATE='2026-01-01T00:00:00Z' GIT_ALLOW_PROTOCOL=file sh '" +
      file + "' > '" + scratch_ / "printed" + "' 2>&1";
  return std::system(command.c_str()) == 0;  // NOLINT(concurrency-mt-unsafe)
}

std::string GitScratch::says(std::string_view folder, std::string_view script) const {
  EXPECT_TRUE(shell(folder, script)) << script << "\n" << printed();
  return printed();
}

bool GitScratch::make(std::string_view folder, std::string_view script) const {
  std::filesystem::create_directories(scratch_ / folder);
  return shell(folder,
               "git init -q -b main .\n"
               "git config user.name tester\n"
               "git config user.email t@example.org\n" +
                   std::string(script));
}

std::string GitScratch::canary() const {
  const std::string file =
      scratch_.write("canary", "#!/bin/sh\necho ran >>'" + scratch_ / "mark" + "'\ncat\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file;
}

bool GitScratch::canary_ran() const {
  return std::filesystem::exists(scratch_ / "mark");
}

}  // namespace rgx::test
