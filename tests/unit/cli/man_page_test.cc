#include "cli/man_page.h"

#include <gtest/gtest.h>

namespace rgx::cli {
namespace {

TEST(ManPage, NothingInATextIsARequest) {
  EXPECT_EQ(roff_escaped(".so /etc/passwd"), "\\&.so /etc/passwd");
  EXPECT_EQ(roff_escaped("'br"), "\\&\\(aqbr");
  EXPECT_EQ(roff_escaped("a\\b --x"), "a\\eb \\-\\-x");
}

TEST(ManPage, HoldsCommandsFlagsAndExitCodes) {
  CommandInfo command;
  command.name = "policy check";
  command.page = "Check files.\n\nexamples:\n  rgx policy check a.yaml\n";
  command.flags = {{.names = {"-q", "--quiet"}, .value = {}, .choices = {}, .help = "say less"},
                   {.names = {"--out"}, .value = "FILE", .choices = {}, .help = "write it"}};
  command.positionals = {{.names = {"FILE"}, .value = "FILE", .choices = {}, .help = "policies"}};
  const std::string page = man_page({command}, "An overview.\n", "1.2.3");
  EXPECT_NE(page.find(".TH RGX 1 \"\" \"rgx 1.2.3\""), std::string::npos);
  EXPECT_NE(page.find(".SH DESCRIPTION\nAn overview.\n"), std::string::npos);
  EXPECT_NE(page.find(".SS rgx policy check\nCheck files.\n.PP\nexamples:\n.nf\n"
                      "  rgx policy check a.yaml\n.fi\n"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find(".TP\n\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR\nsay less\n"), std::string::npos);
  EXPECT_NE(page.find(".TP\n\\fB\\-\\-out\\fR \\fIFILE\\fR\nwrite it\n"), std::string::npos);
  EXPECT_NE(page.find(".TP\n\\fBFILE\\fR\npolicies\n"), std::string::npos);
  EXPECT_NE(page.find(".TP\n\\fB130\\fR\n"), std::string::npos) << page;
}

}  // namespace
}  // namespace rgx::cli
