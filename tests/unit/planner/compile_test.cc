#include <gtest/gtest.h>

#include "planner/compile.h"
#include "templates/catalog.h"
#include "templates/seal.h"
#include "tests/support/memory_repository.h"

namespace rgx::planner {
namespace {

std::vector<templates::Template> shipped() {
  std::vector<templates::Template> all;
  for (const EmbeddedFile& file : templates::catalog()) {
    auto parsed = templates::parse_template(file.bytes, file.name);
    EXPECT_TRUE(parsed) << to_string(parsed.error());
    all.push_back(std::move(*parsed));
  }
  return all;
}

test::MemoryRepository sample() {
  test::MemoryRepository repository;
  repository.track("src/a.c", "int fetch(void);\nint x = fetch();\n")
      .track("src/b.c", "int prefetch(void);\n")
      .track("src/sub/c.c", "fetch();")
      .track("lib/d.c", "fetch();")
      .track(".rgx/config.yaml",
             "schema: rgx.config/v1\nproject: {test_argv: [make, test], test_writes: "
             "[\"build/**\"]}\n");
  return repository;
}

TEST(Compile, SealsAnIntentEndToEnd) {
  auto repository = sample();
  CompileRequest request;
  request.intent = "replace calls to fetch with load under src and prove the tests still pass";
  auto answer = compile(request, shipped(), repository);
  ASSERT_TRUE(answer) << to_string(answer.error());
  auto* compiled = std::get_if<Compiled>(&*answer);
  ASSERT_NE(compiled, nullptr) << std::get<Question>(*answer).text;
  auto sealed = templates::seal(std::move(compiled->draft));
  ASSERT_TRUE(sealed) << to_string(sealed.error());
  ASSERT_EQ(sealed->plan().steps.size(), 3U);
  EXPECT_EQ(sealed->plan().steps[0].id.text(), "edit[src/a.c]");
  EXPECT_EQ(sealed->plan().steps[1].id.text(), "edit[src/sub/c.c]");
  EXPECT_EQ(sealed->plan().steps[2].id.text(), "tests");
  const std::string bytes = templates::write_sealed_plan(*sealed);
  auto again = templates::read_sealed_plan(bytes, "plan.json");
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(again->digest(), sealed->digest());
  EXPECT_EQ(again->plan(), sealed->plan());
}

}  // namespace
}  // namespace rgx::planner
