// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/points/best_points.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/right.h"

namespace dovetail {
namespace {

// The output is larger than the second cache: where it goes is a choice of every algorithm.
Space space_with_stores() {
  Target target;
  return testing::right(
      build_space(testing::right(parse_operator("c2d:ci=64,co=256,h=112,w=112,k=3,p=1")), target));
}

TEST(BestLayouts, TakeStoresOfEveryAlgorithmForLoops) {
  const Space space = space_with_stores();
  const BestLayouts layouts(space, 1);
  int found = 0;
  for (size_t k = 0; k < space.parameters().size(); ++k) {
    if (space.parameters()[k].kind != ParameterKind::stores) continue;
    ++found;
    EXPECT_TRUE(layouts.is_loop(k)) << space.parameters()[k].name;
  }
  EXPECT_EQ(found, 3) << "direct, winograd_2, winograd_4";
}

TEST(BestLayouts, KeepTheFastestPointOfEachLayout) {
  const Space space = space_with_stores();
  BestLayouts layouts(space, 2);
  Point streaming = space.default_point(), tiled = space.default_point();
  const auto position = [&](ParameterKind kind) {
    return static_cast<size_t>(std::ranges::find(space.parameters(), kind, &Parameter::kind) -
                               space.parameters().begin());
  };
  streaming[position(ParameterKind::stores)] ^= 1;
  tiled[position(ParameterKind::register_tile)] += 16;
  layouts.add(space.default_point(), 3);
  layouts.add(streaming, 2);
  ASSERT_EQ(layouts.points().size(), 1u);
  EXPECT_EQ(layouts.points()[0].point, streaming);
  layouts.add(tiled, 1);
  ASSERT_EQ(layouts.points().size(), 2u);
  EXPECT_EQ(layouts.points()[0].point, tiled);
}

}  // namespace
}  // namespace dovetail
