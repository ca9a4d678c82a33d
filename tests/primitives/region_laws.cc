// SPDX-License-Identifier: Apache-2.0
//
// The law of this folder, for regions: a trace is rejected with a one-line reason, or lowers to a
// program that computes the region.
#include <gtest/gtest.h>

#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/random/random_specs.h"
#include "tests/primitives/region_runs.h"
#include "tests/primitives/sliding_traces.h"
#include "tests/primitives/volume.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::drawn;
using testing::kRegionSpecs;
using testing::lowered;
using testing::written_region;

TEST(RegionLaw, EveryWrittenRegionIsRightWithoutATrace) {
  for (const char* spec : kRegionSpecs) {
    const Region region = written_region(spec);
    const Result<Program> program = lowered(region, {}, testing::cpu());
    ASSERT_TRUE(program) << spec << "\n" << program.error().message;
    EXPECT_TRUE(computes(region, *program)) << spec << "\n" << print(*program);
  }
}

// A region that takes few of them gets more, until one is accepted: six in a thousand on a device
// where storage would round a sum.
void judge_random_traces(const Target& target, int traces, uint64_t seed) {
  std::mt19937_64 rng(seed);
  int accepted = 0, rejected = 0;
  for (const char* spec : kRegionSpecs) {
    const Region region = written_region(spec);
    int own = 0;
    for (int k = 0; k < traces || (own == 0 && k < 20 * traces); ++k) {
      const Trace trace = testing::random_trace(region, target, rng);
      EXPECT_TRUE(testing::survives_printing(trace));
      const Result<Program> program = lowered(region, trace, target);
      if (!program) {
        ++rejected;
        EXPECT_EQ(program.error().message.find('\n'), std::string::npos);
        continue;
      }
      ++own;
      ASSERT_TRUE(computes(region, *program)) << spec << "\n" << print(trace) << print(*program);
    }
    EXPECT_GE(own, 1) << spec;
    accepted += own;
  }
  EXPECT_GT(accepted, rejected / 4) << rejected;
}

TEST(RegionLaw, FreeTracesAreRightOrRejected) {
  judge_random_traces(testing::cpu(), drawn(200), 1);
}

TEST(RegionLaw, FreeTracesForDevicesAreRightOrRejected) {
  judge_random_traces(testing::opencl_with_images(), drawn(200), 3);
}

// Without a trace, at points of its space, which are never rejected, and with free traces.
void judge_random_regions(const Target& target, int regions, uint64_t seed) {
  std::mt19937_64 rng(seed);
  int accepted = 0;
  for (int k = 0; k < regions && !::testing::Test::HasFailure(); ++k) {
    const std::string spec = testing::random_spec(rng);
    const Region region = written_region(spec);
    const Space space = testing::right(build_space(region, target), spec);
    std::vector<Trace> traces = {{}, space.default_trace(), space.decode(space.sample(rng))};
    const size_t legal = traces.size();
    for (int t = 0; t < 3; ++t) traces.push_back(testing::random_trace(region, target, rng));
    for (size_t t = 0; t < traces.size(); ++t) {
      const Result<Program> program = lowered(region, traces[t], target);
      if (!program) {
        EXPECT_GE(t, legal) << program.error().message << "\n" << spec << "\n" << print(traces[t]);
        continue;
      }
      ++accepted;
      EXPECT_TRUE(computes(region, *program)) << spec << "\n"
                                              << print(traces[t]) << print(*program);
    }
  }
  EXPECT_GE(accepted, 3 * regions);
}

TEST(RegionLaw, RandomRegionsAreRight) { judge_random_regions(testing::cpu(), drawn(300), 7); }

TEST(RegionLaw, RandomRegionsForDevicesAreRight) {
  judge_random_regions(testing::opencl_with_images(), drawn(150), 8);
}

// Wherever windows slide, with rings and without: `rolled` traces at least keep what windows share.
void judge_sliding_traces(const Target& target, int traces, uint64_t seed, int rolled) {
  std::mt19937_64 rng(seed);
  for (const char* spec : testing::kSlidingSpecs) {
    const Region region = written_region(spec);
    int own = 0;
    for (int k = 0; k < traces; ++k) {
      const Trace trace = testing::sliding_trace(region, target, rng);
      EXPECT_TRUE(testing::survives_printing(trace));
      const Result<Program> program = lowered(region, trace, target);
      if (!program) {
        EXPECT_EQ(program.error().message.find('\n'), std::string::npos);
        continue;
      }
      own += testing::rolls(trace) ? 1 : 0;
      ASSERT_TRUE(computes(region, *program)) << spec << "\n" << print(trace) << print(*program);
    }
    EXPECT_GE(own, rolled) << spec;
  }
}

TEST(RegionLaw, SlidingTracesAreRightOrRejected) {
  judge_sliding_traces(testing::cpu(), drawn(300), 3, drawn(6));
}

TEST(RegionLaw, SlidingTracesForDevicesAreRightOrRejected) {
  judge_sliding_traces(testing::opencl_with_images(), drawn(300), 4, drawn(6));
}

}  // namespace
}  // namespace dovetail
