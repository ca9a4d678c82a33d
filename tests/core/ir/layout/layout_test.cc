// SPDX-License-Identifier: Apache-2.0
#include "core/ir/layout/layout.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "tests/support/expect_error.h"
#include "tests/support/gather_map.h"
#include "tests/support/ir_generators.h"

namespace dovetail {
namespace {

using testing::layouts;

constexpr int kDrawsPerCase = 20;

Layout layout(std::string_view text) {
  const auto named = parse_layout(text);
  EXPECT_TRUE(named) << named.error().message;
  return named->layout;
}

// The logical index of every physical element, by the definition and nothing else: digits count
// like an odometer, the last one fastest.
std::vector<std::vector<int64_t>> logical_indices(const Layout& layout) {
  std::vector<Digit> digits;
  for (const PhysicalAxis& axis : layout.axes)
    digits.insert(digits.end(), axis.digits.begin(), axis.digits.end());
  std::vector<std::vector<int64_t>> result = {layout.offsets};
  for (const Digit& digit : digits) {
    std::vector<std::vector<int64_t>> next;
    for (const std::vector<int64_t>& before : result) {
      for (int64_t count = 0; count < digit.extent; ++count) {
        next.push_back(before);
        next.back()[static_cast<size_t>(digit.dim)] += digit.step * count;
      }
    }
    result = std::move(next);
  }
  return result;
}

RC_GTEST_PROP(LayoutLaw, GatherMapIsTheDefinition, ()) {
  for (int draw = 0; draw < kDrawsPerCase; ++draw) {
    const Layout layout = *layouts();
    std::vector<int64_t> expected;
    for (const std::vector<int64_t>& index : logical_indices(layout)) {
      int64_t flat = 0;
      for (size_t j = 0; j < index.size(); ++j) {
        const bool inside = flat >= 0 && index[j] >= 0 && index[j] < layout.logical[j].extent;
        flat = inside ? flat * layout.logical[j].extent + index[j] : -1;
      }
      expected.push_back(flat);
    }
    RC_ASSERT(gather_map(layout) == expected);
    RC_ASSERT(storage_elements(layout) == static_cast<int64_t>(expected.size()));
  }
}

RC_GTEST_PROP(LayoutLaw, OneToOneMeansEveryElementOnceAndNothingElse, ()) {
  for (int draw = 0; draw < kDrawsPerCase; ++draw) {
    const Layout layout = *layouts();
    std::vector<int64_t> map = gather_map(layout);
    std::ranges::sort(map);
    std::vector<int64_t> all(static_cast<size_t>(logical_elements(layout)));
    std::iota(all.begin(), all.end(), 0);
    RC_ASSERT(is_one_to_one(layout) == (map == all));
  }
}

RC_GTEST_PROP(LayoutLaw, WithoutOverlapNoElementIsStoredTwice, ()) {
  for (int draw = 0; draw < kDrawsPerCase; ++draw) {
    const Layout layout = *layouts();
    std::map<int64_t, int> times;
    for (const int64_t element : gather_map(layout)) {
      if (element >= 0) ++times[element];
    }
    const bool twice = std::ranges::any_of(times, [](const auto& t) { return t.second > 1; });
    RC_ASSERT(has_overlap(layout) || !twice);
  }
}

RC_GTEST_PROP(LayoutLaw, StoredRangeIsThatOfTheDigits, ()) {
  const Layout layout = *layouts();
  const std::vector<std::vector<int64_t>> indices = logical_indices(layout);
  for (size_t j = 0; j < layout.logical.size(); ++j) {
    Range seen{indices[0][j], indices[0][j]};
    for (const std::vector<int64_t>& index : indices)
      seen = {std::min(seen.min, index[j]), std::max(seen.max, index[j])};
    RC_ASSERT(stored_range(layout, static_cast<int>(j)) == seen);
  }
}

RC_GTEST_PROP(LayoutLaw, DigitsOfADimensionFallInStep, ()) {
  const Layout layout = *layouts();
  size_t total = 0;
  for (size_t j = 0; j < layout.logical.size(); ++j) {
    const auto places = digits_of_dim(layout, static_cast<int>(j));
    total += places.size();
    for (size_t p = 0; p < places.size(); ++p) {
      const PhysicalAxis& axis = layout.axes[static_cast<size_t>(places[p].axis)];
      RC_ASSERT(axis.digits[static_cast<size_t>(places[p].position)] == places[p].digit);
      if (p > 0) RC_ASSERT(places[p - 1].digit.step >= places[p].digit.step);
    }
  }
  size_t digits = 0;
  for (const PhysicalAxis& axis : layout.axes) digits += axis.digits.size();
  RC_ASSERT(total == digits);
}

TEST(Layout, UnfoldIsTwoDigitsThatOverlap) {
  const Layout unfolded = layout("X[h=14] as [h@4:3 =h.0] [h@1:6 =h.1]");
  EXPECT_TRUE(has_overlap(unfolded));
  EXPECT_FALSE(is_one_to_one(unfolded));
  EXPECT_EQ(physical_extents(unfolded), (std::vector<int64_t>{3, 6}));
  EXPECT_EQ(storage_elements(unfolded), 18);
  EXPECT_EQ(logical_elements(unfolded), 14);
}

TEST(Layout, SplitReorderAndFuseAreOneToOneAndPadIsNot) {
  EXPECT_TRUE(is_one_to_one(layout("X[i=8, w=3] as [i@4:2 =i.0] [w@1:3] [i@1:4 =i.1]")));
  EXPECT_TRUE(is_one_to_one(layout("X[i=8, w=3] as [w@1:3 i@1:8 =w_i]")));
  EXPECT_FALSE(is_one_to_one(layout("X[i=8] as [i@1:9]")));
  EXPECT_FALSE(is_one_to_one(layout("X[i=8] as [i@1:9] offset i=-1")));
  EXPECT_FALSE(has_overlap(layout("X[i=8] as [i@1:9] offset i=-1")));
}

TEST(Layout, AxesAreFoundByName) {
  const Layout split = layout("X[i=8] as [i@4:2 =i.0] [i@1:4 =i.1]");
  EXPECT_EQ(find_axis(split, "i.1"), 1);
  EXPECT_EQ(find_axis(split, "i"), -1);
}

TEST(Layout, IdentityIsRowMajor) {
  EXPECT_EQ(print(identity_layout({{"n", 1}, {"i", 64}}), "X"), "X[n=1, i=64] as [n@1:1] [i@1:64]");
}

TEST(Layout, PrintsEverything) {
  const std::string text =
      "X.pad[n=1, h=56] as [h@4:14 =h.0] [n@1:1 h@1:6 =n_h.1] offset n=2 h=-1 ; scope "
      "texture:nhwc:array";
  const auto named = parse_layout(text);
  ASSERT_TRUE(named) << named.error().message;
  EXPECT_EQ(print(named->layout, named->tensor), text);
  const std::string constant =
      "W[k=9, n=4] as [k@1:9] [n@1:5] offset n=-1 times 16 holds bias[n=4] at k=8";
  const auto scaled = parse_layout(constant);
  ASSERT_TRUE(scaled) << scaled.error().message;
  EXPECT_EQ(scaled->layout.times, 16);
  EXPECT_EQ(print(scaled->layout, scaled->tensor), constant);
}

TEST(Layout, SaysWhereATextIsWrong) {
  const auto fails = [](std::string_view text, std::string_view message) {
    EXPECT_ERROR(parse_layout(text), message);
  };
  fails("", "column 1: found the end, expected a tensor's name");
  fails("W[k=9] as [k@1:9] times 24", "column 25: found 24, expected a power of two");
  fails("X", "found the end, expected \"[\"");
  fails("X[h=4 w=2] as", "found \"w\", expected \",\" or \"]\"");
  fails("X[h=0] as", "column 5: found 0, expected an extent from 1 to 2^31");
  fails("X[h=4] [h@1:4]", "found \"[\", expected \"as\"");
  fails("X[h=4] as [w@1:4]", "column 12: found \"w\", expected a dimension of the tensor");
  fails("X[h=4] as [h:4]", "expected \"@\"");
  fails("X[h=4] as [h@0:4]", "found 0, expected a step from 1 to 2^31");
  fails("X[h=4] as []", "found \"]\", expected a digit such as h@1:56");
  fails("X[h=4] as [h@1:4] offset", "found the end, expected a dimension");
  fails("X[h=4] as [h@1:4] ; scope textures", "unknown memory scope");
  fails("X[h=4] as [h@1:4] more", "expected the end of the layout");
  fails("X[h=2000000000, w=2000000000] as", "more than 2^48 elements");
  fails("X[h=2] as [h@1:2000000000] [h@1:2000000000]", "more than 2^48 elements");
}

}  // namespace
}  // namespace dovetail
