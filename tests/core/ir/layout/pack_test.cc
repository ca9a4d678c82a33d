// SPDX-License-Identifier: Apache-2.0
#include "core/ir/layout/pack.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <set>

#include "tests/support/gather_map.h"
#include "tests/support/ir_generators.h"

namespace dovetail {
namespace {

using testing::layouts;

Layout parsed_layout(std::string_view text) { return parse_layout(text)->layout; }

std::vector<float> counting(int64_t count) {
  std::vector<float> values(static_cast<size_t>(count));
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

std::vector<float> packed(const Layout& layout) {
  std::vector<float> physical(static_cast<size_t>(storage_elements(layout)), -1.0f);
  pack(layout, counting(logical_elements(layout)), physical);
  return physical;
}

TEST(Pack, PaddingIsZero) {
  EXPECT_EQ(packed(parsed_layout("X[h=3] as [h@1:5] offset h=-1")),
            (std::vector<float>{0, 1, 2, 3, 0}));
}

TEST(Pack, UnfoldRepeatsTheOverlap) {
  EXPECT_EQ(packed(parsed_layout("X[h=6] as [h@2:3 =h.0] [h@1:4 =h.1]")),
            (std::vector<float>{1, 2, 3, 4, 3, 4, 5, 6, 5, 6, 0, 0}));
}

TEST(Pack, ReorderTransposes) {
  EXPECT_EQ(packed(parsed_layout("X[h=2, w=3] as [w@1:3] [h@1:2]")),
            (std::vector<float>{1, 4, 2, 5, 3, 6}));
}

TEST(Pack, ConstantsAreStoredTimesTheirNumber) {
  EXPECT_EQ(packed(parsed_layout("W[k=3] as [k@1:4] times 16")),
            (std::vector<float>{16, 32, 48, 0}));
}

TEST(Pack, ScalarsAndSingleElementsAreKept) {
  EXPECT_EQ(packed(parsed_layout("X[] as")), (std::vector<float>{1}));
  EXPECT_EQ(packed(parsed_layout("X[h=1] as [h@1:1]")), (std::vector<float>{1}));
  EXPECT_EQ(packed(parsed_layout("X[h=1] as [h@1:1] offset h=-1")), (std::vector<float>{0}));
}

RC_GTEST_PROP(PackLaw, PackIsTheGatherMap, ()) {
  const Layout layout = *layouts();
  const std::vector<float> x = counting(logical_elements(layout));
  std::vector<float> expected;
  for (const int64_t element : gather_map(layout))
    expected.push_back(
        element < 0 ? 0.0f : static_cast<float>(layout.times) * x[static_cast<size_t>(element)]);
  RC_ASSERT(packed(layout) == expected);
}

RC_GTEST_PROP(PackLaw, UnpackUndoesPackWhereTheElementIsStored, ()) {
  const Layout layout = *layouts();
  const std::vector<int64_t> map = gather_map(layout);
  const std::set<int64_t> stored(map.begin(), map.end());
  std::vector<float> expected = counting(logical_elements(layout));
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!stored.contains(static_cast<int64_t>(i))) expected[i] = 0;
  }
  RC_CLASSIFY(static_cast<int64_t>(stored.size() - stored.count(-1)) == logical_elements(layout));
  std::vector<float> x(expected.size(), -1.0f);
  unpack(layout, packed(layout), x);
  RC_ASSERT(x == expected);
}

}  // namespace
}  // namespace dovetail
