// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/filled_text.h"

#include <gtest/gtest.h>

namespace dovetail::testing {
namespace {

TEST(FilledText, PutsWordsInPlaceOfNames) {
  EXPECT_EQ(filled("int @name@_abi(void);\n", {{"name", "pose"}}), "int pose_abi(void);\n");
  EXPECT_EQ(filled("@a@@b@", {{"a", "1"}, {"b", "@a@"}}), "1@a@");  // a word is no template
}

TEST(FilledText, TakesALineAwayThatIsOneNameAlone) {
  EXPECT_EQ(filled("A\n@more@\nB\n", {{"more", ""}}), "A\nB\n");
  EXPECT_EQ(filled("A\n@more@\nB\n", {{"more", "C\n"}}), "A\nC\nB\n");
  EXPECT_EQ(filled("A\n @more@\nB\n", {{"more", ""}}), "A\n \nB\n");
}

TEST(FilledTextDeathTest, EndsWhereAWordIsMissing) {
  EXPECT_DEATH(filled("@name@", {}), "no word for @name@");
}

}  // namespace
}  // namespace dovetail::testing
