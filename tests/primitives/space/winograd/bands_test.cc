// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/winograd/bands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "primitives/space/restricted.h"
#include "tests/primitives/lowered.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::lowered;
using testing::opencl_with_images;
using testing::operator_of;
using testing::space_of;

constexpr const char* kBatch16 = "c2d:n=16,ci=64,co=64,h=56,w=56,k=3,p=1";
constexpr const char* kBatch1 = "c2d:ci=64,co=64,h=56,w=56,k=3,p=1";
constexpr int64_t kWinograd4 = 2;  // value of the parameter `algorithm`

// The default point of F(4,3), with a value for one parameter where that is not empty; later ones
// stay where their domains allow it.
Point winograd_point(const Space& space, std::string_view name = "", int64_t value = 0) {
  Point point;
  for (const Parameter& parameter : space.parameters()) {
    const size_t k = point.size();
    const std::vector<int64_t> domain = parameter.domain(point);
    int64_t wanted = space.default_point()[k];
    if (parameter.name == "algorithm") wanted = kWinograd4;
    if (!name.empty() && parameter.name == name) wanted = value;
    point.push_back(std::ranges::count(domain, wanted) > 0 ? wanted : domain.front());
  }
  return point;
}

bool is_in_bands(const Trace& trace) {
  return std::ranges::any_of(trace.loops, [](const StageLoops& line) {
    if (line.primitives.empty()) return false;
    const auto* inside = std::get_if<loop::ComputeAt>(&line.primitives.front());
    return inside != nullptr && inside->scope == TileScope::workspace;
  });
}

// 29 MB of transformed tiles go through memory apart; those of one image stay in the caches.
TEST(Bands, AreTheDefaultWhereApartLeavesTheCaches) {
  const Space large = space_of(kBatch16), small = space_of(kBatch1);
  EXPECT_GOLDEN(print(large.decode(winograd_point(large))),
                "primitives/space/winograd_bands_trace");
  EXPECT_FALSE(is_in_bands(small.decode(winograd_point(small))));
}

TEST(Bands, AreOfTwentyTilesOrSo) {
  const Space space = space_of("c3d:ci=64,co=64,depth=16,h=56,w=56,k=3,p=1");
  const std::string trace = print(space.decode(winograd_point(space)));
  EXPECT_NE(trace.find("reorder(d.0, h.0.0, "), std::string::npos) << trace;  // two rows of 14
}

// A product whose rows are padded would have rows that no tile of the output belongs to.
TEST(Bands, HaveNoPaddedRows) {
  const Space space = space_of(kBatch16);
  const Trace trace = space.decode(winograd_point(space, "winograd_4.register_tile.tw", 5));
  EXPECT_FALSE(is_in_bands(trace)) << print(trace);
}

bool streams_output(const Trace& trace) {
  const std::vector<LoopPrimitive>& last = trace.loops.front().primitives;
  const auto* write = last.empty() ? nullptr : std::get_if<loop::CacheWrite>(&last.back());
  return write != nullptr && write->tensor == "Y" && write->streaming;
}

// The last stage's output alone leaves the band.
TEST(Bands, StoreTheOutputPastTheCaches) {
  const Space space = space_of(kBatch16);
  EXPECT_FALSE(streams_output(space.decode(winograd_point(space))));
  const Trace trace = space.decode(winograd_point(space, "winograd_4.stores", 1));
  EXPECT_TRUE(is_in_bands(trace) && streams_output(trace)) << print(trace);
}

// Points in bands: transposed orders, two levels, planes in both places, one thread and two, and
// outputs that are large beside the caches.
TEST(Bands, EveryPointIsRight) {
  Target threads = cpu(4, 16);
  threads.name.threads = 2;
  Target no_caches = cpu(4, 16);
  no_caches.l2_bytes = no_caches.l3_bytes = 64;
  int streamed = 0;
  for (const char* spec :
       {"c2d:n=4,ci=8,co=8,h=16,w=8,k=3,p=1+bias+relu", "c1d:n=2,ci=16,co=16,w=32,k=3,p=1:0+add",
        "c3d:ci=4,co=8,depth=8,h=4,w=9,k=3,p=1", "grp:n=2,ci=8,co=12,h=8,w=5,k=3,p=1,g=4+bias"}) {
    const Operator op = operator_of(spec);
    for (const Target& target : {cpu(), cpu(4, 16), threads, no_caches}) {
      const Space space = space_of(spec, target);
      std::mt19937_64 rng(11);
      int in_bands = 0;
      for (int drawn = 0; drawn < 400 && in_bands < 4; ++drawn) {
        const Trace trace = space.decode(space.sample(rng));
        if (!is_in_bands(trace)) continue;
        ++in_bands;
        streamed += streams_output(trace) ? 1 : 0;
        const Result<Program> program = lowered(op, trace, target);
        ASSERT_TRUE(program) << program.error().message << "\n" << print(trace);
        EXPECT_TRUE(computes(op, trace, *program)) << spec << "\n" << print(trace);
      }
      EXPECT_EQ(in_bands, 4) << spec;
    }
  }
  EXPECT_GT(streamed, 0);
}

TEST(Bands, AreNotForDevices) {
  const Space space = space_of(kBatch16, opencl_with_images());
  EXPECT_FALSE(std::ranges::any_of(space.parameters(), [](const Parameter& parameter) {
    return parameter.kind == ParameterKind::compute_at;
  }));
}

TEST(Bands, AnUnfusedSpaceHasNone) {
  const Space whole = space_of(kBatch16), apart = unfused(whole);
  EXPECT_TRUE(is_in_bands(whole.decode(winograd_point(whole))));
  EXPECT_FALSE(is_in_bands(apart.decode(winograd_point(apart))));
  EXPECT_LT(apart.count(), whole.count());
  std::mt19937_64 rng(3);
  for (int drawn = 0; drawn < 60; ++drawn)
    EXPECT_FALSE(is_in_bands(apart.decode(apart.sample(rng))));
}

TEST(ExactOnly, LeavesWinogradOutAndNothingElse) {
  const Space whole = space_of(kBatch16), exact = allowed_only(whole, definition_only);
  EXPECT_EQ(algorithm_of(whole.decode(winograd_point(whole))), "winograd");
  EXPECT_LT(exact.count(), whole.count());
  EXPECT_GT(exact.count(), 1);
  EXPECT_EQ(exact.default_trace(), whole.default_trace());
  std::mt19937_64 rng(3);
  for (int drawn = 0; drawn < 60; ++drawn)
    EXPECT_EQ(algorithm_of(exact.decode(exact.sample(rng))), "direct");
}

}  // namespace
}  // namespace dovetail
