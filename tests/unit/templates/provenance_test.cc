#include "templates/provenance.h"

#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>

namespace rgx::templates {
namespace {

TEST(OriginSet, StartsEmptyAndAddsUp) {
  OriginSet origins;
  EXPECT_TRUE(origins.empty());
  origins.add(Origin::repository);
  origins.add(Origin::human);
  EXPECT_TRUE(origins.has(Origin::human));
  EXPECT_FALSE(origins.has(Origin::model));
  EXPECT_EQ(origins.to_json(), Json::array({Json("human"), Json("repository")}));
}

TEST(OriginSet, IsWithinItsSupersets) {
  OriginSet both = Origin::human;
  both.add(Origin::model);
  EXPECT_TRUE(OriginSet(Origin::human).within(both));
  EXPECT_TRUE(OriginSet().within(Origin::human));
  EXPECT_FALSE(both.within(Origin::human));
}

TEST(OriginSet, EverySetSurvivesJson) {
  for (unsigned bits = 0; bits < (1U << kOriginNames.size()); ++bits) {
    OriginSet origins;
    for (unsigned index = 0; index < kOriginNames.size(); ++index) {
      if ((bits & (1U << index)) != 0) {
        origins.add(static_cast<Origin>(index));
      }
    }
    const auto again = OriginSet::from_json(origins.to_json());
    ASSERT_TRUE(test::accepted(again));
    EXPECT_EQ(*again, origins);
  }
}

TEST(OriginSet, RefusesWhatIsNoOrigin) {
  EXPECT_TRUE(
      test::refused(OriginSet::from_json(Json("human")), "provenance.syntax", "not a list"));
  EXPECT_TRUE(test::refused(OriginSet::from_json(Json::array({Json("robot")})), "provenance.syntax",
                            "`robot` is not an origin"));
  EXPECT_TRUE(test::refused(OriginSet::from_json(Json::array({Json(1)})), "provenance.syntax",
                            "a value is not an origin"));
  EXPECT_TRUE(test::refused(OriginSet::from_json(Json::array({Json("human"), Json("human")})),
                            "provenance.syntax", "named twice"));
}

TEST(Origin, IsSpelledAsOnTheWire) {
  EXPECT_EQ(to_string(Origin::template_), "template");
  EXPECT_EQ(to_string(Axis::content), "content");
  EXPECT_EQ(to_string(Axis::argv), "argv");
}

}  // namespace
}  // namespace rgx::templates
