// Each rule against snippets that break it and snippets that only look as if they did.
#include "tests/support/scratch_dir.h"
#include "tests/tidy/banned_calls.h"
#include "tests/tidy/code_view.h"
#include "tests/tidy/doc_rules.h"
#include "tests/tidy/file_rules.h"
#include "tests/tidy/include_rules.h"
#include "tests/tidy/orphan_rules.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rgx::tidy {
namespace {

// ---- code view

TEST(CodeView, BlanksCommentsAndLiteralsInPlace) {
  const std::string_view source = "a(\"x\"); // b\n/* c\n */ 'd' R\"(e \"f)\" 1'000 g";
  const CodeView view = view_code(source);
  EXPECT_EQ(view.code.size(), source.size());
  EXPECT_EQ(view.code, "a(   );     \n    \n                  1'000 g");
  ASSERT_EQ(view.literals.size(), std::size_t{2});
  EXPECT_EQ(view.literals[0].text, "x");
  EXPECT_EQ(view.literals[0].offset, std::size_t{2});
  EXPECT_EQ(view.literals[1].text, "e \"f");
}

TEST(CodeView, EscapedQuotesDoNotEndALiteral) {
  const CodeView view = view_code(R"(f("a\"b", '\'', "c");)");
  ASSERT_EQ(view.literals.size(), std::size_t{2});
  EXPECT_EQ(view.literals[0].text, R"(a\"b)");
  EXPECT_EQ(view.literals[1].text, "c");
}

TEST(CodeView, UnterminatedTextEndsWithTheSource) {
  EXPECT_EQ(view_code("\"abc").code, "    ");
  EXPECT_EQ(view_code("/* abc").code, "      ");
  EXPECT_EQ(view_code("R\"(abc").code, "      ");
  EXPECT_EQ(view_code("\"abc\\").code, "     ");
}

// ---- banned calls

struct BannedCase {
  std::string_view path;
  std::string_view code;
  std::string_view name;  // the name that is refused; empty when the code is allowed
};

class BannedCalls : public testing::TestWithParam<BannedCase> {};

TEST_P(BannedCalls, AreFound) {
  const BannedCase& test = GetParam();
  const Findings findings = check_banned_calls(test.path, test.code);
  if (test.name.empty()) {
    EXPECT_EQ(to_string(findings), "");
    return;
  }
  ASSERT_EQ(findings.size(), std::size_t{1}) << to_string(findings);
  EXPECT_EQ(findings[0].line, std::size_t{1});
  EXPECT_TRUE(findings[0].message.starts_with('`' + std::string(test.name) + "` is not used in "))
      << findings[0].message;
  EXPECT_NE(findings[0].message.find("; use "), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Refused, BannedCalls,
    testing::Values(BannedCase{"engine/a.cc", "std::random_device device;", "std::random_device"},
                    BannedCase{"engine/a.cc", "int x = rand();", "rand"},
                    BannedCase{"engine/a.cc", "int x = std::rand ();", "rand"},
                    BannedCase{"engine/a.cc", "return ::time(nullptr);", "time"},
                    BannedCase{"engine/a.cc", "f(time(nullptr));", "time"},
                    BannedCase{"engine/a.cc", "auto t = std::chrono::system_clock::now();",
                               "system_clock"},
                    BannedCase{"engine/a.cc", "if (a && system(\"ls\")) {}", "system"},
                    BannedCase{"audit/a.cc", "const char* home = getenv(\"HOME\");", "getenv"},
                    BannedCase{"policy/a.cc", "std::regex pattern;", "std::regex"},
                    BannedCase{"base/yaml/a.cc", "auto n = YAML::Load(text);", "YAML::Load"},
                    BannedCase{"engine/a.cc", "std::exit(1);", "exit"},
                    BannedCase{"engine/a.h", "inline void f() { std::cout << 1; }", "std::cout"},
                    BannedCase{"audit/a.cc", "printf(\"%d\", 1);", "printf"},
                    BannedCase{"policy/a.cc", "std::ifstream in;", "ifstream"},
                    BannedCase{"policy/a.cc", "std::filesystem::path p;", "std::filesystem"},
                    BannedCase{"policy/a.cc", "std::chrono::seconds s;", "std::chrono"},
                    BannedCase{"policy/a.cc", "std::thread t;", "std::thread"},
                    BannedCase{"policy/a.cc", "int fd = ::open(path, 0);", "::open"},
                    BannedCase{"planner/a.cc", "double score = 0;", "double"},
                    BannedCase{"templates/a.cc", "throw 1;", "throw"},
                    BannedCase{"cli/a.cc", "int n = std::stoi(text);", "stoi"},
                    BannedCase{"engine/a.cc", "assert(x);", "assert"}));

INSTANTIATE_TEST_SUITE_P(
    Allowed, BannedCalls,
    testing::Values(BannedCase{"engine/a.cc", "clock.time(); clock->time(); my::time(1);", ""},
                    BannedCase{"engine/a.cc", "int time = 0; timeout(time);", ""},
                    BannedCase{"engine/a.cc", "// rand() and time(0)\nf(\"system(ls)\");", ""},
                    BannedCase{"engine/a.cc", "Status open(int fd); Result<int> time(int a);", ""},
                    BannedCase{"engine/a.cc", "void Log::write(int a) { static_assert(true); }",
                               ""},
                    BannedCase{"engine/a.cc", "int fd = ::open(path, 0);", ""},
                    BannedCase{"policy/a.cc", "auto x = read(y); auto z = Log::open(w);", ""},
                    BannedCase{"cli/a.cc", "std::cout << getenv(\"HOME\");", ""},
                    BannedCase{"engine/clock_posix.cc", "auto n = system_clock::now();", ""},
                    BannedCase{"tests/unit/base/a_test.cc", "std::cout << rand();", ""},
                    BannedCase{"docs/a.md", "rand()", ""}));

// ---- files

TEST(Sizes, LimitLinesAndColumns) {
  const std::string lines_250 = [] {
    std::string text;
    for (int i = 0; i < 250; ++i) {
      text += "x\n";
    }
    return text;
  }();
  EXPECT_TRUE(check_sizes("base/a.h", lines_250).empty());
  EXPECT_EQ(check_sizes("base/a.h", lines_250 + "x\n").size(), std::size_t{1});
  EXPECT_TRUE(check_sizes("base/a.cc", lines_250 + lines_250 + lines_250).empty());
  EXPECT_EQ(check_sizes("base/a.cc", lines_250 + lines_250 + lines_250 + lines_250).size(),
            std::size_t{1});
  EXPECT_TRUE(check_sizes("base/a.cc", std::string(100, 'x')).empty());
  EXPECT_EQ(check_sizes("base/a.cc", "\n" + std::string(101, 'x')),
            (Findings{{"base/a.cc", 2, "101 columns, of which 100 are allowed"}}));
  // 60 three-byte characters are 60 columns.
  std::string chinese;
  for (int i = 0; i < 60; ++i) {
    chinese += "\xe6\x96\x87";
  }
  EXPECT_TRUE(check_sizes("base/a.cc", chinese).empty());
}

TEST(Whitespace, IsChecked) {
  EXPECT_TRUE(check_whitespace("docs/a.md", "a\n").empty());
  EXPECT_TRUE(check_whitespace("docs/a.md", "").empty());
  EXPECT_EQ(check_whitespace("docs/a.md", "a\n\tb\n"),
            (Findings{{"docs/a.md", 2, "a tab; indent with spaces"}}));
  EXPECT_TRUE(check_whitespace("tests/cli/a.sh", "\trecipe\n").empty());
  EXPECT_EQ(check_whitespace("tests/cli/a.sh", "\ta\tb\n").size(), std::size_t{1});
  EXPECT_EQ(check_whitespace("docs/a.md", "a \n"),
            (Findings{{"docs/a.md", 1, "blanks at the end of the line"}}));
  EXPECT_EQ(check_whitespace("docs/a.md", "a\r\n"),
            (Findings{{"docs/a.md", 1, "a carriage return; end lines with LF"}}));
  EXPECT_EQ(check_whitespace("docs/a.md", "a"),
            (Findings{{"docs/a.md", 1, "end the file with exactly one LF"}}));
  EXPECT_EQ(check_whitespace("docs/a.md", "a\n\n"),
            (Findings{{"docs/a.md", 2, "end the file with exactly one LF"}}));
  EXPECT_EQ(check_whitespace("base/a.h", "int x;\n"),
            (Findings{{"base/a.h", 1, "a header starts with `#pragma once`"}}));
  EXPECT_TRUE(check_whitespace("tests/data.bin", "a\t").empty());
}

TEST(Words, OfUnfinishedWorkAndOfForeignPlacesAreFound) {
  // The words are put together here, so that this file does not break the rule itself.
  const std::string todo = std::string("TO") + "DO";
  EXPECT_EQ(check_words("base/a.cc", "\n// " + todo + ": x\n"),
            (Findings{{"base/a.cc", 2, "`" + todo + "`; finish it, or leave it out"}}));
  EXPECT_TRUE(check_words("base/a.cc", "int " + todo + "LIST;").empty());
  EXPECT_EQ(check_words("docs/a.md", std::string("is not ") + "implemented").size(),
            std::size_t{1});
  EXPECT_EQ(check_words("docs/a.md", std::string("cd /wo") + "rk/main").size(), std::size_t{1});
}

TEST(Suppressions, NameTheirCheck) {
  const std::string mark = std::string("// NOLI") + "NT";
  EXPECT_EQ(check_suppressions("base/a.cc", "f();  " + mark + "\n").size(), std::size_t{1});
  EXPECT_EQ(check_suppressions("base/a.cc", mark + "NEXTLINE\nf();").size(), std::size_t{1});
  EXPECT_TRUE(check_suppressions("base/a.cc", "f();  " + mark + "(some-check)\n").empty());
  EXPECT_TRUE(check_suppressions("base/a.cc", mark + "NEXTLINE(some-check)\nf();").empty());
}

// ---- includes

Findings includes(const std::string& path, const std::string& text) {
  const Tree tree = {{path, text}, {"base/result.h", ""}, {"engine/run.h", ""}};
  return check_includes(path, tree,
                        parse_library_table("set(RGX_THIRD_PARTY_engine curl git2)\n"
                                            "set(RGX_THIRD_PARTY_policy re2)\n"
                                            "set(RGX_THIRD_PARTY_none \"\")\n"));
}

TEST(Includes, ComeFromTheRoot) {
  EXPECT_TRUE(includes("engine/a.cc", "#include \"base/result.h\"\n#include <vector>\n").empty());
  EXPECT_TRUE(includes("engine/a.cc", "#include \"templates/embedded_catalog.h\"\n").empty());
  EXPECT_EQ(
      includes("engine/a.cc", "\n#include \"../engine/run.h\"\n"),
      (Findings{{"engine/a.cc", 2, "relative include `../engine/run.h`; write it from the root"}}));
  EXPECT_EQ(includes("engine/a.cc", "#include \"run.h\"\n").size(), std::size_t{1});
}

TEST(Includes, StartWithTheOwnHeader) {
  EXPECT_TRUE(
      includes("engine/run.cc", "#include \"engine/run.h\"\n#include \"base/result.h\"\n").empty());
  EXPECT_EQ(
      includes("engine/run.cc", "#include \"base/result.h\"\n#include \"engine/run.h\"\n"),
      (Findings{{"engine/run.cc", 1, "the first include is the own header, `engine/run.h`"}}));
}

TEST(Includes, KeepLibrariesInTheirPackagesAndOutOfHeaders) {
  EXPECT_TRUE(includes("engine/a.cc", "#include <curl/curl.h>\n#include <git2.h>\n").empty());
  EXPECT_TRUE(includes("base/result.h", "#include <tl/expected.hpp>\n").empty());
  EXPECT_EQ(
      includes("policy/a.cc", "#include <curl/curl.h>\n"),
      (Findings{{"policy/a.cc", 1, "package policy may not use curl (cmake/RgxLayers.cmake)"}}));
  EXPECT_EQ(includes("engine/a.h", "#include <curl/curl.h>\n").size(), std::size_t{1});
  EXPECT_EQ(includes("engine/b.h", "#include <tl/expected.hpp>\n").size(), std::size_t{1});
  EXPECT_EQ(includes("audit/a.cc", "#include <re2/re2.h>\n").size(), std::size_t{1});
  EXPECT_EQ(includes("policy/a.cc", "#include <simdjson.h>\n").size(), std::size_t{1});
}

TEST(Includes, OfPurePackagesTouchMemoryOnly) {
  for (const std::string header :
       {"fstream", "thread", "random", "chrono", "unistd.h", "sys/stat.h", "filesystem"}) {
    EXPECT_EQ(includes("policy/a.cc", "#include <" + header + ">\n").size(), std::size_t{1})
        << header;
    EXPECT_TRUE(includes("engine/a.cc", "#include <" + header + ">\n").empty()) << header;
  }
}

// ---- orphans

TEST(Orphans, AreFoundInPackagesTestsAndData) {
  const Tree tree = {
      {"CMakeLists.txt", "add_subdirectory(base)"},
      {"base/CMakeLists.txt", "rgx_package(SOURCES a.cc # old.cc\n HEADERS a.h)"},
      {"base/a.cc", ""},
      {"base/a.h", ""},
      {"base/ba.cc", ""},
      {"base/old.cc", ""},
      {"base/unlisted.h", ""},
      {"cli/CMakeLists.txt", "rgx_embed(rgx_cli FILES ../policies/default.yaml)"},
      {"docs/example.sh", ""},
      {"policies/default.test.yaml", ""},
      {"policies/default.yaml", ""},
      {"policies/strict.yaml", ""},
      {"tests/cli/CMakeLists.txt", "rgx_cli_test(NAME plan)"},
      {"tests/cli/lib.sh", ""},
      {"tests/cli/lost.sh", ""},
      {"tests/cli/plan.sh", ". ./lib.sh"},
      {"tests/support/fake.h", ""},
      {"tests/support/unused.h", "#include \"tests/support/fake.h\""},
  };
  std::vector<std::string> paths;
  for (const Finding& finding : check_orphans(tree)) {
    paths.push_back(finding.path);
  }
  EXPECT_EQ(paths, (std::vector<std::string>{"base/ba.cc", "base/old.cc", "base/unlisted.h",
                                             "policies/strict.yaml", "tests/cli/lost.sh",
                                             "tests/support/unused.h"}));
}

// ---- documents

TEST(Codes, AreFoundWhereErrorsAreMade) {
  const Tree tree = {
      {"base/a.cc",
       "return fail(ErrorKind::usage, \"json.syntax\", \"no.such\");\n"
       "auto e = make_error(f(1, 2), \"json.number\", x);\n"
       "Diagnostic d{\"text.utf8\", m};\n"
       "d.code = \"text.control\";\n"
       "return syntax_error(place,\n    \"yaml.tab\", \"other.word\");\n"
       "open(\"state.json\"); f({\"file.read\"}); // fail(\"in.comment\")\n"},
      {"tests/a.cc", "fail(\"test.code\")"},
  };
  std::vector<std::string> codes;
  for (const auto& [code, use] : find_codes(tree)) {
    codes.push_back(code + ':' + std::to_string(use.line));
  }
  EXPECT_EQ(codes, (std::vector<std::string>{"json.number:2", "json.syntax:1", "text.control:4",
                                             "text.utf8:3", "yaml.tab:6"}));
}

TEST(Codes, AreDocumentedAndNotStale) {
  const Tree tree = {
      {"base/a.cc", "fail(\"json.syntax\"); fail(\"json.number\"); f(kind, \"json.used\");"},
      {"docs/codes.md",
       "| code | meaning |\n| --- | --- |\n| `json.syntax` | x |\n| `json.used` | x |\n"
       "| `json.stale` | x |\ntext `json.number`\n"},
  };
  EXPECT_EQ(to_string(check_codes(tree)),
            "base/a.cc:1: code `json.number` has no row in docs/codes.md\n"
            "docs/codes.md: code `json.stale` is used nowhere\n");
}

TEST(ExitCodes, OfHeaderAndTableAreTheSame) {
  const std::string header =
      "enum class ExitCode : int {\n  done = 0,  // = 9\n  failed = 1,\n  torn = 10,\n};\n";
  const std::string rows = "| code | meaning |\n|---|---|\n| 0 | done |\n| `1` | failed |\n";
  EXPECT_EQ(to_string(check_exit_codes(
                {{"cli/exit_code.h", header}, {"docs/exit-codes.md", rows + "| 10 | torn |\n"}})),
            "");
  EXPECT_EQ(to_string(check_exit_codes(
                {{"cli/exit_code.h", header}, {"docs/exit-codes.md", rows + "| 11 | new |\n"}})),
            "docs/exit-codes.md: exit code 10 has no row\n"
            "cli/exit_code.h: exit code 11 is documented but not there\n");
  EXPECT_EQ(check_exit_codes({{"cli/exit_code.h", header}}).size(), std::size_t{1});
}

TEST(Links, ResolveToFilesFoldersAndHeadings) {
  const std::string page =
      "[a](b.md) [c](../base/) [d](https://example.org/x) [e](#the-end) [f](b.md#two-words)\n"
      "`[g](none.md)`\n```\n[h](none.md)\n```\n[i](none.md)\n[j](b.md#none) [k](../base/x.h)\n"
      "## The end\n";
  const Tree tree = {{"base/a.h", ""}, {"docs/a.md", page}, {"docs/b.md", "# Two *words*\n"}};
  EXPECT_EQ(to_string(check_links(tree, "docs/a.md")),
            "docs/a.md:6: link to `docs/none.md`, which is not there\n"
            "docs/a.md:7: no heading for `#none` in `docs/b.md`\n"
            "docs/a.md:7: link to `base/x.h`, which is not there\n");
}

// ---- the repository as text

TEST(Tree, LeavesOutBuildsHiddenFoldersAndGoldenData) {
  const test::ScratchDir scratch;
  scratch.write("base/a.cc", "a");
  scratch.write("build/x.cc", "b");
  scratch.write(".git/config", "c");
  scratch.write(".ci/run", "d");
  scratch.write("tests/golden/x.json", "e");
  scratch.write("tests/fuzz/corpus/x.json", "e");
  scratch.write("tests/unit/build/x.cc", "f");
  EXPECT_EQ(read_tree(scratch.path()),
            (Tree{{".ci/run", "d"}, {"base/a.cc", "a"}, {"tests/unit/build/x.cc", "f"}}));
}

TEST(Packages, AreToldFromPaths) {
  EXPECT_EQ(package_of("base/a.h"), "base");
  EXPECT_EQ(package_of("base/yaml/a.h"), "yaml");
  EXPECT_EQ(package_of("tests/unit/base/a.cc"), "");
  EXPECT_EQ(package_of("policies/a.yaml"), "");
  EXPECT_EQ(package_of("cli"), "");
  EXPECT_TRUE(is_header("base/a.h"));
  EXPECT_TRUE(is_cxx("tests/tidy/a.cc"));
  EXPECT_FALSE(is_header("examples/sample/a.h"));
  EXPECT_FALSE(is_cxx("examples/sample/a.cc"));
}

}  // namespace
}  // namespace rgx::tidy
