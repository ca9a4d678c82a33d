// SPDX-License-Identifier: Apache-2.0
#include "report/data/layout_name.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

using Letters = std::vector<std::string>;

TEST(LayoutName, OfImagesIsTheCommonOne) {
  EXPECT_EQ(layout_name("1@1:64 2@1:56 3@1:56", {}), "NCHW");
  EXPECT_EQ(layout_name("2@1:56 3@1:56 1@1:64", {}), "NHWC");
  EXPECT_EQ(layout_name("0@1:8 2@1:56 3@1:56 1@1:64", {}), "NHWC");
  EXPECT_EQ(layout_name("1@16:4 2@1:56 3@1:56 1@1:16", {}), "nChw16c");
  EXPECT_EQ(layout_name("1@64:2 2@1:56 3@1:56 1@16:4 1@1:16", {}), "nChw4c16c");
  EXPECT_EQ(layout_name("1@16:4 2@1:8 3@1:56 4@1:56 1@1:16", {}), "nCdhw16c");
}

TEST(LayoutName, SpellsWhereThereIsNoCommonOne) {
  EXPECT_EQ(layout_name("1@16:4 2@7:8 3@1:56 2@1:7 1@1:16", {}), "nCHw7h16c");
  EXPECT_EQ(layout_name("1@16:4 2@7:8 1@1:16 3@1:56 2@1:7", {}), "n C/16 H/7 16c w 7h");
  EXPECT_EQ(layout_name("2@1:56 1@1:64 3@1:56", {}), "n h c w");
}

TEST(LayoutName, OfMatricesIsByRowsOrColumns) {
  EXPECT_EQ(layout_name("1@1:8 2@1:9", {"b", "m", "k"}), "row-major");
  EXPECT_EQ(layout_name("2@1:9 1@1:8", {"b", "m", "k"}), "column-major");
  EXPECT_EQ(layout_name("2@16:4 1@1:8 2@1:16", {"b", "k", "n"}), "bNk16n");
  EXPECT_EQ(layout_name("2@16:8 1@1:128 2@1:16", {}), "aCb16c");
  EXPECT_EQ(layout_name("row_major", {"a", "b", "c", "d"}), "row-major");
}

TEST(LayoutName, OfRowMajorHasLettersOnlyWhereTheDimensionsAreKnown) {
  EXPECT_EQ(layout_name("row_major", {}), "row-major");
  EXPECT_EQ(layout_name("plain", {}), "row-major");
  EXPECT_EQ(layout_name("row_major", {"n", "c", "h", "w"}), "NCHW");
  EXPECT_EQ(layout_name("row_major", {"o", "i", "h", "w"}), "OIHW");
}

TEST(LayoutName, SaysWhatElseThereIs) {
  EXPECT_EQ(layout_name("1@16:4 2@1:58 3@1:58 1@1:16 offset 2=-1 3=-1", {}), "nChw16c, padded");
  EXPECT_EQ(layout_name("2@1:56 3@1:56 1@1:64 scope texture", {}), "NHWC, texture");
}

TEST(LayoutName, OfAnythingElseIsNoCrash) {
  for (const char* form : {"", "<b>", "1@", "9999999999999999999999@1:2", "x@1:2 y", "1:16"})
    EXPECT_EQ(layout_name(form, {}), "row-major") << form;
}

TEST(LayoutLetters, FollowFromTheNamesOfDimensions) {
  EXPECT_EQ(letters_of({"n", "i", "h", "w"}), (Letters{"n", "c", "h", "w"}));
  EXPECT_EQ(letters_of({"a", "b", "c", "d"}), (Letters{"a", "b", "c", "d"}));
  EXPECT_EQ(letters_of({"o", "i", "kh", "kw"}), (Letters{"o", "i", "h", "w"}));
  EXPECT_EQ(letters_of({"b", "m", "k"}), (Letters{"b", "m", "k"}));
  EXPECT_EQ(letters_of({"n", "g", "i", "h", "w"}), (Letters{"n", "g", "i", "h", "w"}));
}

}  // namespace
}  // namespace dovetail
