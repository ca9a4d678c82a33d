// SPDX-License-Identifier: Apache-2.0
#include "core/backends/kept_by_text.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

TEST(KeptByText, FindsWhatWasMadeOfATextAndNothingElse) {
  KeptByText<int> kept(100);
  EXPECT_EQ(kept.find("a"), nullptr);
  kept.keep("a", 1, 9);
  kept.keep("b", 2, 9);
  ASSERT_NE(kept.find("a"), nullptr);
  EXPECT_EQ(*kept.find("a"), 1);
  EXPECT_EQ(*kept.find("b"), 2);
  EXPECT_EQ(kept.find("ab"), nullptr);
  EXPECT_EQ(kept.bytes(), 20U);
}

TEST(KeptByText, DropsWhatWasUsedLeastRecently) {
  KeptByText<int> kept(30);
  kept.keep("a", 1, 9);
  kept.keep("b", 2, 9);
  kept.keep("c", 3, 9);
  EXPECT_NE(kept.find("a"), nullptr);
  kept.keep("d", 4, 9);
  EXPECT_EQ(kept.find("b"), nullptr);
  for (const char* text : {"a", "c", "d"}) EXPECT_NE(kept.find(text), nullptr) << text;
  kept.keep("e", 5, 19);  // in place of two
  EXPECT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept.bytes(), 30U);
  EXPECT_NE(kept.find("d"), nullptr);
}

TEST(KeptByText, DoesNotKeepWhatIsLargerThanAllOfIt) {
  KeptByText<int> kept(10);
  kept.keep("a", 1, 5);
  kept.keep("b", 2, 10);
  EXPECT_EQ(kept.find("b"), nullptr);
  EXPECT_NE(kept.find("a"), nullptr);
}

}  // namespace
}  // namespace dovetail
