// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/layouts/placement.h"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/points.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::domain_at;
using ::testing::HasSubstr;
using testing::lowered;
using testing::NamedValues;
using ::testing::Not;
using testing::opencl_with_images;
using testing::point_with;
using testing::space_of;
using Values = std::vector<int64_t>;

constexpr const char* kPlacedConvolution = "c2d:ci=16,co=64,h=16,w=24,k=3,p=1";

// The trace of a point, which computes the operator.
std::string trace_of(const char* spec, const NamedValues& wanted, const Target& target = cpu()) {
  const Space space = space_of(spec, target);
  const Trace trace = space.decode(point_with(space, wanted));
  const Result<Program> program = lowered(*space.spec().region.op, trace, target);
  EXPECT_TRUE(program) << program.error().message;
  EXPECT_TRUE(program && computes(*space.spec().region.op, trace, *program)) << print(trace);
  return print(trace);
}

const NamedValues kPlacedTiles = {
    {"register_tile.o", 16}, {"cache_tile.o", 2},    {"register_tile.w", 4},
    {"cache_tile.w", 2},     {"register_tile.h", 1}, {"cache_tile.h", 4},
    {"unroll_part.i", 4},    {"inner_part.i", 2},    {"storage.X.h", kPad}};

NamedValues with_value(NamedValues choices, const std::string& name, int64_t value) {
  choices[name] = value;
  return choices;
}

TEST(Placement, OfThePaddingPassIsInsideItsReader) {
  EXPECT_THAT(trace_of(kPlacedConvolution, with_value(kPlacedTiles, "pad_at.X", kInBlock)),
              HasSubstr("loops X.pad: compute_at(stage=c2d, loop=w.0)\n"));
  EXPECT_THAT(trace_of(kPlacedConvolution, with_value(kPlacedTiles, "pad_at.X", kInTile)),
              HasSubstr("loops X.pad: compute_at(stage=c2d, loop=w.1.0)\n"));
  EXPECT_THAT(trace_of(kPlacedConvolution, kPlacedTiles), Not(HasSubstr("compute_at")));
}

TEST(Placement, OfThePaddingPassFollowsFusedLoops) {
  Target threads = cpu();
  threads.name.threads = 4;
  EXPECT_THAT(
      trace_of(kPlacedConvolution,
               with_value(with_value(kPlacedTiles, "fuse", 3), "pad_at.X", kInBlock), threads),
      HasSubstr("loops X.pad: compute_at(stage=c2d, loop=o.0.0_h.0_w.0)\n"));
}

TEST(Placement, StagesTilesOfTheOperands) {
  EXPECT_THAT(trace_of(kPlacedConvolution, with_value(kPlacedTiles, "cache_read.X", kInTile)),
              HasSubstr("cache_read(tensor=X.pad, at=w.1.0, scope=private)"));
  EXPECT_THAT(
      trace_of(kPlacedConvolution, with_value(with_value(kPlacedTiles, "reduction_outside", 1),
                                              "cache_read.W", kInBlock)),
      HasSubstr("cache_read(tensor=W, at=i.0, scope=private)"));
}

TEST(Placement, OnADeviceIsInLocalMemory) {
  const NamedValues tiles = {{"register_tile.n", 4}, {"cache_tile.n", 4},  {"register_tile.m", 2},
                             {"cache_tile.m", 4},    {"unroll_part.k", 2}, {"inner_part.k", 2}};
  EXPECT_THAT(
      trace_of("gmm:m=32,n=64,k=24",
               with_value(with_value(tiles, "cache_read.W", kInTop), "cache_read.X", kInTop),
               opencl_with_images()),
      HasSubstr("cache_read(tensor=X, at=k.0, scope=local)"
                " ; cache_read(tensor=W, at=k.0, scope=local)"));
}

TEST(Placement, IsOfferedWhereThereIsAPassAndALoop) {
  const auto domain = [&](const char* spec, const NamedValues& choices) {
    return domain_at(space_of(spec), choices, "pad_at.X");
  };
  EXPECT_EQ(domain(kPlacedConvolution, kPlacedTiles), (Values{kNowhere, kInBlock, kInTile}));
  EXPECT_EQ(domain("c2d:ci=16,co=64,h=18,w=26,k=3", kPlacedTiles), (Values{kNowhere}))
      << "no padding";
  EXPECT_EQ(domain("c2d:ci=512,co=64,h=16,w=24,k=3,p=1", kPlacedTiles), (Values{kNowhere, kInTile}))
      << "64 KiB";
}

TEST(Placement, OfThePassPadsTheInput) {
  const Space space = space_of(kPlacedConvolution);
  EXPECT_TRUE(std::ranges::count(domain_at(space, kPlacedTiles, "storage.X.w"), kGuard));
  EXPECT_FALSE(std::ranges::count(
      domain_at(space, with_value(kPlacedTiles, "pad_at.X", kInTile), "storage.X.w"), kGuard));
}

TEST(Placement, IsMostlyOffInSamples) {
  const Space space = space_of(kPlacedConvolution);
  std::mt19937_64 rng(1);
  std::map<std::string, int> on;
  for (int k = 0; k < 1000; ++k) {
    const Point point = space.sample(rng);
    for (size_t p = 0; p < point.size(); ++p) {
      const Parameter& parameter = space.parameters()[p];
      if (parameter.off_percent == 90 && point[p] != kNowhere) ++on[parameter.name];
    }
  }
  EXPECT_EQ(on.size(), 3U);
  for (const auto& [name, count] : on) EXPECT_LT(count, 130) << name;
}

}  // namespace
}  // namespace dovetail
