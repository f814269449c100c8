#include "templates/catalog.h"

#include "templates/template.h"
#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>

namespace rgx::templates {
namespace {

TEST(Catalog, EveryShippedTemplateParses) {
  ASSERT_FALSE(catalog().empty());
  std::string_view last;
  for (const EmbeddedFile& file : catalog()) {
    EXPECT_LT(last, file.name);
    last = file.name;
    const auto source = parse_template(file.bytes, file.name);
    ASSERT_TRUE(test::accepted(source));
    EXPECT_EQ(source->name + ".yaml", file.name);
  }
}

TEST(Catalog, ShippedTemplatesSpeakEnglishAndChinese) {
  for (const EmbeddedFile& file : catalog()) {
    const auto source = parse_template(file.bytes, file.name);
    ASSERT_TRUE(test::accepted(source));
    for (const char* language : {"en", "zh"}) {
      const auto found = source->utterances.find(language);
      ASSERT_NE(found, source->utterances.end()) << file.name << " " << language;
      EXPECT_GE(found->second.size(), 20U) << file.name << " " << language;
    }
  }
}

}  // namespace
}  // namespace rgx::templates
