// SPDX-License-Identifier: Apache-2.0
#include "core/ir/layout/normal_form.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "core/ir/lexer.h"
#include "tests/support/expect_error.h"
#include "tests/support/gather_map.h"
#include "tests/support/ir_generators.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

const std::vector<LogicalDim> kDims = {{"n", 1}, {"i", 64}, {"h", 56}};

Layout stored_as(const std::string& axes) {
  const std::string text = "X[n=1, i=64, h=56] as " + axes;
  return right(parse_layout(text), text).layout;
}

std::string form_of(const std::string& axes) { return print(normal_form(stored_as(axes)), kDims); }

Result<NormalLayout> normal_form(const std::string& text,
                                 const std::vector<LogicalDim>& dims = kDims) {
  Cursor cursor = TRY(Cursor::over(text, "border"));
  return parse_normal_layout(cursor, dims);
}

TEST(NormalForm, ForgetsNamesAndSplitsThatLieTogether) {
  EXPECT_EQ(form_of("[n@1:1] [i@1:64] [h@8:7 =h.0] [h@1:8 =h.1]"), "row_major");
  EXPECT_EQ(form_of("[n@1:1] [i@1:64 h@1:56 =i_h]"), "row_major");
  const std::string blocked = "1@16:4 2@1:56 1@1:16";
  EXPECT_EQ(form_of("[i@16:4 =i.0] [n@1:1] [h@1:56] [i@1:16 =i.1]"), blocked);
  EXPECT_EQ(form_of("[n@1:1] [i@16:4 =i.0] [h@1:56] [i@1:16 =i.1]"), blocked);
}

TEST(NormalForm, KeepsPaddingAndWhereItIs) {
  EXPECT_EQ(form_of("[n@1:1] [i@1:64] [h@1:58] offset h=-1"), "1@1:64 2@1:58 offset 2=-1");
  EXPECT_EQ(form_of("[n@1:2] [i@1:64] [h@1:56]"), "1@1:128 2@1:56");
  EXPECT_EQ(form_of("[n@1:2] [i@1:64] [h@1:58] offset n=-1 h=-1"),
            "1@1:128 2@1:58 offset 1=-64 2=-1");
  EXPECT_EQ(form_of("[n@1:1] [i@1:64] [h@1:58]"), "1@1:64 2@1:58");
}

// A second tile that is all padding is no other storage than a longer row.
TEST(NormalForm, IsOneForPaddingThatNobodyCanTellApart) {
  const auto form = [](const std::string& axes) {
    const std::string text = "X[h=2] as " + axes;
    return normal_form(right(parse_layout(text), text).layout);
  };
  EXPECT_EQ(form("[h@3:2 =h.0] [h@1:3 =h.1]"), form("[h@1:6]"));
  EXPECT_EQ(form("[h@2:2 =h.0] [h@1:3 =h.1]"), form("[h@1:6]"));
}

TEST(NormalForm, ReadsTheWordOfOlderLogs) {
  EXPECT_EQ(*normal_form("plain"), *normal_form("row_major"));
}

TEST(NormalForm, RefusesWhatIsNoLayoutOfTheTensor) {
  EXPECT_ERROR(normal_form("3@1:64"), "found 3, expected the position of one of 3 dimensions");
  EXPECT_ERROR(normal_form("1@1:64"), "element 1 of dimension 2 (h) has no place");
  EXPECT_ERROR(normal_form("1@1:64 2@8:7 2@1:8"), "expected `row_major`");
  EXPECT_ERROR(normal_form("pad:2/2 1@1:64 2@1:56"), "pad of 2 counts, of which 2 is to be live");
  EXPECT_ERROR(normal_form("1@1:64 2@1:2147483648 2@1:56"), "more than 2^31 elements");
  EXPECT_ERROR(normal_form("1@1:0"), "found 0, expected an extent from 2");
}

bool stores_every_element(const Layout& layout) {
  const std::vector<int64_t> map = gather_map(layout);
  for (int64_t e = 0; e < logical_elements(layout); ++e) {
    if (std::ranges::find(map, e) == map.end()) return false;
  }
  return true;
}

RC_GTEST_PROP(NormalFormLaw, StoresTheSameAndIsItsOwnForm, ()) {
  constexpr int kDrawsPerCase = 20;
  for (int draw = 0; draw < kDrawsPerCase; ++draw) {
    Layout layout = *testing::layouts();
    layout.guests.clear();
    if (!stores_every_element(layout)) continue;
    const NormalLayout form = normal_form(layout);
    const Layout again = layout_of(form, layout.logical);
    RC_ASSERT(gather_map(again) == gather_map(layout));
    RC_ASSERT(normal_form(again) == form);
    const Result<NormalLayout> read = normal_form(print(form, layout.logical), layout.logical);
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == form);
  }
}

}  // namespace
}  // namespace dovetail
