// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/contraction/contraction_plan.h"

#include <gtest/gtest.h>

#include <random>

#include "primitives/space/contraction/loop_orders.h"
#include "primitives/space/layouts/decode_layouts.h"
#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"

namespace dovetail {
namespace {

using testing::cpu;
using testing::opencl_with_images;
using testing::operator_of;

using Kind = ParameterKind;

std::string decoded(std::string_view spec, const Choices& choices, const Target& target = cpu()) {
  const ContractionPlan plan{.facts = *derive_facts(define(operator_of(spec)), target)};
  return print(decode(plan, target, choices));
}

constexpr const char* kTiledProduct = "gmm:m=12,n=64,k=24";
const Choices kTiles = {{{Kind::register_tile, "n"}, 32},    {{Kind::register_tile, "m"}, 3},
                        {{Kind::unroll_part, "k"}, 2},       {{Kind::cache_tile, "m"}, 2},
                        {{Kind::layout_tile, "Y", "n"}, 16}, {{Kind::inner_part, "k"}, 4},
                        {{Kind::layout_tile, "X", "k"}, 8},  {{Kind::layout_tile, "W", "k"}, 2},
                        {{Kind::layout_tile, "W", "n"}, 32}, {{Kind::channel_tiles, "X"}, 0}};

Choices with(Choices choices, const ParameterId& id, int64_t value) {
  choices.set(id, value);
  return choices;
}

TEST(Decode, CutsLayoutsAndLoopsAtTheSamePlaces) {
  EXPECT_EQ(decoded(kTiledProduct, kTiles),
            "layout X: split(axis=k, factor=8) reorder(b, k.0, m, k.1)\n"
            "layout W: split(axis=k, factor=2) split(axis=n, factor=32) reorder(b, n.0, k.0, k.1, "
            "n.1)\n"
            "layout Y: split(axis=n, factor=16) reorder(b, n.0, m, n.1)\n"
            "loops: split(loop=m, factor=6) ; split(loop=m.1, factor=3) ; split(loop=n.0, factor=2)"
            " ; split(loop=k, factor=8) ; split(loop=k.1, factor=2)"
            " ; reorder(n.0.0, m.0, m.1.0, k.0, k.1.0, k.1.1, m.1.1, n.0.1, n.1)"
            " ; unroll(k.1.1) ; unroll(m.1.1) ; unroll(n.0.1) ; vectorize(n.1) ; parallel(n.0.0)"
            " ; cache_write(tensor=Y, at=m.1.0)\n");
}

// The `reorder` of the loops alone.
std::string order_of(const std::string& trace) {
  const size_t start = trace.find("reorder(", trace.find("loops:"));
  return trace.substr(start, trace.find(" ;", start) - start);
}

TEST(Decode, KoutMovesTheTopOfTheReductionOutsideTheCacheLoops) {
  EXPECT_EQ(order_of(decoded(kTiledProduct, with(kTiles, Kind::reduction_outside, 1))),
            "reorder(n.0.0, m.0, k.0, m.1.0, k.1.0, k.1.1, m.1.1, n.0.1, n.1)");
}

TEST(Decode, OrdersPermuteOuterAndCacheLoops) {
  EXPECT_EQ(order_of(decoded(kTiledProduct, with(kTiles, Kind::outer_order, 1))),
            "reorder(m.0, n.0.0, m.1.0, k.0, k.1.0, k.1.1, m.1.1, n.0.1, n.1)");
  Choices cached =
      with(with(with(kTiles, {Kind::register_tile, "n"}, 16), {Kind::cache_tile, "n"}, 2),
           Kind::cache_order, 1);
  EXPECT_EQ(order_of(decoded(kTiledProduct, cached)),
            "reorder(n.0.0, m.0, m.1.0, n.0.1, k.0, k.1.0, k.1.1, m.1.1, n.1)");
}

TEST(Decode, ThreadsShareFusedLoops) {
  const std::string trace = decoded(
      "c2d:ci=4,co=32,h=8,w=8,k=1",
      {{{Kind::register_tile, "o"}, 16}, {{Kind::layout_tile, "Y", "o"}, 16}, {Kind::fuse, 3}});
  EXPECT_NE(trace.find("reorder(n, o.0, h, w, "), std::string::npos) << trace;
  EXPECT_NE(trace.find("fuse(o.0, h) ; fuse(o.0_h, w) ; parallel(o.0_h_w)"), std::string::npos)
      << trace;
}

TEST(Decode, DevicesBindOuterLoopsToGroupsAndCacheLoopsToWorkItems) {
  const std::string trace = decoded("gmm:m=12,n=64,k=24",
                                    {{{Kind::register_tile, "n"}, 4},
                                     {{Kind::register_tile, "m"}, 3},
                                     {{Kind::cache_tile, "m"}, 2},
                                     {{Kind::cache_tile, "n"}, 8},
                                     {{Kind::layout_tile, "Y", "n"}, 4}},
                                    opencl_with_images());
  EXPECT_NE(trace.find("bind(n.0.0, group.1) ; bind(m.0, group.0) ; bind(n.0.1, thread.1)"
                       " ; bind(m.1.0, thread.0)"),
            std::string::npos)
      << trace;
}

TEST(Decode, PartialTilesArePadded) {
  const std::string trace = decoded("gmm:m=7,n=13,k=5", {{{Kind::register_tile, "n"}, 16},
                                                         {{Kind::register_tile, "m"}, 4},
                                                         {{Kind::unroll_part, "k"}, 2},
                                                         {{Kind::layout_tile, "Y", "n"}, 16},
                                                         {{Kind::layout_tile, "W", "n"}, 16}});
  EXPECT_NE(trace.find("layout X: pad(axis=m, before=0, after=1) pad(axis=k, before=0, after=1)"),
            std::string::npos)
      << trace;
  EXPECT_NE(trace.find("layout Y: pad(axis=m, before=0, after=1) pad(axis=n, before=0, after=3)"),
            std::string::npos)
      << trace;
}

// One group, one filter each: no loop over groups of work-items is left.
TEST(Decode, SumsInAGroupWhereOneTileIsTheWholeOutput) {
  const Operator op =
      operator_of("t3d:ci=16,co=4,depth=3,h=1,w=2,k=4x2x4,s=1x3x2,p=1:2x0:1x2,op=0x1x0,g=4");
  const Target target = opencl_with_images();
  const Space space = *build_space(op, target);
  std::mt19937_64 rng(1);
  int found = 0;
  for (int k = 0; k < 3000 && found < 2; ++k) {
    const Trace trace = space.decode(space.sample(rng));
    if (print(trace).find("loop=o, scope=local") == std::string::npos) continue;
    ++found;
    const auto program = testing::lowered(op, trace, target);
    ASSERT_TRUE(program) << program.error().message << print(trace);
    EXPECT_TRUE(testing::computes(op, trace, *program)) << print(trace);
  }
  EXPECT_EQ(found, 2);
}

TEST(PaddedExtents, RoundUpToTheTiles) {
  const ContractionFacts s = *derive_facts(define(operator_of("gmm:m=7,n=13,k=5")), cpu());
  const auto padded = padded_extents(s, {{{Kind::register_tile, "n"}, 16},
                                         {{Kind::register_tile, "m"}, 4},
                                         {{Kind::unroll_part, "k"}, 2}});
  EXPECT_EQ(padded, (std::map<std::string, int64_t>{{"k", 6}, {"m", 8}, {"n", 16}}));
}

TEST(Permuted, CountsThroughAllOrders) {
  const std::vector<std::string> axes = {"n", "o", "h"};
  EXPECT_EQ(permuted(axes, "o", 0), (std::vector<std::string>{"o", "n", "h"}));
  EXPECT_EQ(permuted(axes, "o", 1), (std::vector<std::string>{"o", "h", "n"}));
  EXPECT_EQ(permuted(axes, "o", 5), (std::vector<std::string>{"h", "n", "o"}));
}

TEST(Orders, LedByAnAxisKeepTheOthersAsTheyAre) {
  const std::vector<std::string> axes = {"n", "h", "w", "o"};
  const auto order = [&](const char* front) {
    return permuted(axes, "o", order_led_by(front, axes, "o"));
  };
  EXPECT_EQ(order("o"), (std::vector<std::string>{"o", "n", "h", "w"}));
  EXPECT_EQ(order("n"), (std::vector<std::string>{"n", "o", "h", "w"}));
  EXPECT_EQ(order("w"), (std::vector<std::string>{"w", "o", "n", "h"}));
}

}  // namespace
}  // namespace dovetail
