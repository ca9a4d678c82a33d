// SPDX-License-Identifier: Apache-2.0
//
// The law of this folder: any trace is either rejected with a one-line reason, or lowers to a
// program that computes the operator, bit for bit on small integers.
#include <gtest/gtest.h>

#include <random>
#include <span>

#include "primitives/space/choices.h"
#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/odd_specs.h"
#include "tests/primitives/placements.h"
#include "tests/primitives/points.h"
#include "tests/primitives/random/in_group_sums.h"
#include "tests/primitives/random/random_traces.h"
#include "tests/primitives/volume.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::cpu;
using testing::drawn;
using testing::kFirstGroups;
using testing::kFirstTransposed;
using testing::kFirstWritten;
using testing::kNumPlanes;
using testing::kOddSpecs;
using testing::kSpecsWithTails;
using testing::lowered;
using testing::operator_of;

struct Tally {
  int accepted = 0, rejected = 0;
  std::string last_rejected;  // message and trace
};

// One trace: rejected in one line, or right.
void judge(const Operator& op, const Trace& trace, const Target& target, Tally& tally) {
  const auto describe = [&] { return print(op) + "\n" + print(trace); };
  EXPECT_TRUE(testing::survives_printing(trace));
  const Result<Program> program = lowered(op, trace, target);
  if (!program) {
    ++tally.rejected;
    const std::string& message = program.error().message;
    tally.last_rejected = message + "\n" + describe();
    EXPECT_FALSE(message.empty()) << describe();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message << "\n" << describe();
    return;
  }
  ++tally.accepted;
  EXPECT_TRUE(testing::computes(op, trace, *program)) << describe() << print(*program);
}

// Points of a space are never rejected.
void judge_points(std::span<const char* const> specs, const Target& target) {
  const int points = drawn(21);
  std::mt19937_64 rng(1);
  Tally tally;
  for (const char* spec : specs) {
    const Operator op = operator_of(spec);
    const Space space = *build_space(op, target);
    for (int k = 0; k < points && !::testing::Test::HasFailure(); ++k)
      judge(op, space.decode(space.sample(rng)), target, tally);
  }
  EXPECT_EQ(tally.rejected, 0) << tally.last_rejected;
  EXPECT_EQ(tally.accepted, points * static_cast<int>(specs.size()));
}

// Wherever its stages run, a point computes the same.
void judge_placements(const Target& target, uint64_t seed) {
  const int points = drawn(21);
  std::mt19937_64 rng(seed);
  Tally tally;
  for (const char* spec : kOddSpecs) {
    const Operator op = operator_of(spec);
    const Space space = *build_space(op, target);
    for (int k = 0; k < points && !::testing::Test::HasFailure(); ++k) {
      const Trace point = space.decode(space.sample(rng));
      judge(op, testing::with_placements(op, point, target, rng), target, tally);
    }
  }
  EXPECT_GT(tally.accepted, tally.rejected / 4) << tally.rejected;
}

TEST(RandomTrace, PlacementsOnACpuAreRight) { judge_placements(cpu(16, 32), 1); }

TEST(RandomTrace, PlacementsOnADeviceAreRight) {
  judge_placements(testing::opencl_with_images(), 2);
}

TEST(RandomTrace, PointsForSixteenLanesAreRight) { judge_points(kOddSpecs, cpu(16, 32)); }
TEST(RandomTrace, PointsForFourLanesAreRight) { judge_points(kOddSpecs, cpu(4, 16)); }

// Every point again, with the input stored as it is: no padding pass, and right at the borders.
void judge_guarded_points(const Target& target) {
  const int points = drawn(21);
  std::mt19937_64 rng(5);
  Tally tally;
  int guarded = 0;
  for (const char* spec : kOddSpecs) {
    const Operator op = operator_of(spec);
    const Space space = *build_space(op, target);
    for (int k = 0; k < points && !::testing::Test::HasFailure(); ++k) {
      Point point = space.sample(rng);
      for (size_t p = 0; p < point.size(); ++p) {
        Point other = point;
        other[p] = kGuard;
        const Parameter& parameter = space.parameters()[p];
        const bool storage = !parameter.labels.empty() && parameter.labels.back() == "guard";
        if (storage && space.contains(other)) point = other, ++guarded;
      }
      judge(op, space.decode(point), target, tally);
    }
  }
  EXPECT_EQ(tally.rejected, 0) << tally.last_rejected;
  EXPECT_GE(guarded, drawn(200));
}

TEST(RandomTrace, GuardedPointsAreRight) { judge_guarded_points(cpu(8, 16)); }
TEST(RandomTrace, GuardedPointsForDevicesAreRight) {
  judge_guarded_points(testing::opencl_with_images());
}

// Points with all optional parts on, of every operator, and some of them at least.
void judge_busy_points(const Target& target, uint64_t seed) {
  const int points = drawn(12);
  std::mt19937_64 rng(seed);
  Tally tally;
  for (const char* spec : kOddSpecs) {
    const Operator op = operator_of(spec);
    const Space space = *build_space(op, target);
    for (int k = 0; k < points && !::testing::Test::HasFailure(); ++k)
      judge(op, space.decode(testing::busy_point(space, rng)), target, tally);
  }
  EXPECT_EQ(tally.rejected, 0);
}

TEST(RandomTrace, BusyPointsForWideVectorsAreRight) { judge_busy_points(cpu(16, 32), 8); }
TEST(RandomTrace, BusyPointsForNarrowVectorsAreRight) { judge_busy_points(cpu(4, 16), 9); }
TEST(RandomTrace, BusyPointsForDevicesAreRight) {
  judge_busy_points(testing::opencl_with_images(), 10);
}

// A good share of free traces is legal, and all of those are right. `accepted` is what this seed
// gives, less a margin: the slow tests judge more than 5,000 accepted traces together.
void judge_free_traces(std::span<const char* const> specs, const Target& target, uint64_t seed,
                       int accepted) {
  const int traces = drawn(150);
  std::mt19937_64 rng(seed);
  Tally tally;
  for (const char* spec : specs) {
    const Operator op = operator_of(spec);
    for (int k = 0; k < traces && !::testing::Test::HasFailure(); ++k)
      judge(op, testing::random_trace(op, target, rng), target, tally);
  }
  EXPECT_GE(tally.accepted, drawn(accepted));
  EXPECT_GE(3 * tally.accepted, tally.accepted + tally.rejected);
}

TEST(RandomTrace, FreeOnesOfPlanesAreRightOrRejected) {
  judge_free_traces(std::span(kOddSpecs).first(kNumPlanes), cpu(), 1, 700);
}

TEST(RandomTrace, FreeOnesOfLinesVolumesAndProductsAreRightOrRejected) {
  judge_free_traces(std::span(kOddSpecs).subspan(kNumPlanes, kFirstGroups - kNumPlanes), cpu(), 2,
                    800);
}

TEST(RandomTrace, FreeOnesOfGroupsAreRightOrRejected) {
  judge_free_traces(std::span(kOddSpecs).subspan(kFirstGroups, kFirstTransposed - kFirstGroups),
                    cpu(), 4, 900);
}

TEST(RandomTrace, FreeOnesOfTransposedConvolutionsAreRightOrRejected) {
  judge_free_traces(
      std::span(kOddSpecs).subspan(kFirstTransposed, kFirstWritten - kFirstTransposed), cpu(), 5,
      500);
}

TEST(RandomTrace, FreeOnesOfWrittenSumsAreRightOrRejected) {
  judge_free_traces(std::span(kOddSpecs).subspan(kFirstWritten), cpu(), 6, 300);
}

TEST(RandomTrace, SumsOfAGroupWithTilesInsideAreRightOrRejected) {
  const int traces = drawn(300);
  std::mt19937_64 rng(11);
  Tally tally;
  for (int k = 0; k < traces && !::testing::Test::HasFailure(); ++k) {
    const testing::InGroupSum drawn_sum = testing::in_group_sum(rng);
    const Trace trace = testing::right(parse_trace(drawn_sum.trace), drawn_sum.trace);
    judge(operator_of(drawn_sum.spec), trace, testing::opencl_with_images(), tally);
  }
  EXPECT_GT(tally.accepted, traces / 2) << tally.last_rejected;
}

TEST(RandomTrace, FreeOnesForDevicesAreRightOrRejected) {
  judge_free_traces(kOddSpecs, testing::opencl_with_images(), 3, 1900);
}

TEST(RandomTrace, PointsWithTailsAreRight) {
  judge_points(kSpecsWithTails, cpu(16, 32));
  judge_points(kSpecsWithTails, cpu(4, 16));
}
TEST(RandomTrace, PointsWithTailsForDevicesAreRight) {
  judge_points(kSpecsWithTails, testing::opencl_with_images());
}
TEST(RandomTrace, FreeOnesWithTailsAreRightOrRejected) {
  judge_free_traces(kSpecsWithTails, cpu(), 7, 500);
}

}  // namespace
}  // namespace dovetail
