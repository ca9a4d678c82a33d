// SPDX-License-Identifier: Apache-2.0
//
// The law of this folder, for regions: a trace is rejected with one line that says why, or it is a
// program that computes the region.
#include <gtest/gtest.h>

#include "tests/primitives/lowered.h"
#include "tests/primitives/region_runs.h"
#include "tests/primitives/sliding_traces.h"
#include "tests/primitives/volume.h"
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

void judge_random_traces(const Target& target, int traces, uint64_t seed) {
  std::mt19937_64 rng(seed);
  int accepted = 0, rejected = 0;
  for (const char* spec : kRegionSpecs) {
    const Region region = written_region(spec);
    int own = 0;
    for (int k = 0; k < traces; ++k) {
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
    EXPECT_GE(own, traces / 100) << spec;
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
