// SPDX-License-Identifier: Apache-2.0
//
// The law of this folder: whatever is written as a trace is either rejected, with one line that
// says why, or is a program that computes the operator, bit for bit on small integers.
#include <gtest/gtest.h>

#include <random>
#include <span>

#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/random_traces.h"

namespace dovetail {
namespace {

using testing::cpu;
using testing::lowered;
using testing::operator_of;

// Odd extents, partial tiles, borders, strides and dilations; few elements.
constexpr const char* kSpecs[] = {
    "c2d:ci=3,co=7,h=7,w=7,k=3,p=1",
    "c2d:ci=4,co=8,h=8,w=6,k=3x1,p=1:0x0+relu",
    "c2d:n=2,ci=3,co=5,h=7,w=5,k=3,s=2,p=1+bias+relu",
    "c2d:ci=1,co=13,h=5,w=7,k=2,p=0:1x1:0+bias",
    "c2d:ci=6,co=17,h=4,w=4,k=1+bias+add+relu",
    "c2d:ci=8,co=4,h=7,w=7,k=1,s=2",
    "c2d:ci=2,co=3,h=13,w=3,k=7x3,s=2x1,p=3x1+relu6",
    "dil:ci=3,co=4,h=7,w=9,k=3,p=2,d=2+add",
    "dil:ci=2,co=8,h=9,w=7,k=2x3,s=1x2,p=0:3x2,d=3x2+clip(-5,9)",
    "c1d:ci=7,co=6,w=17,k=3,s=2,p=1+bias",
    "c1d:n=2,ci=4,co=1,w=13,k=4,p=2:1",
    "c3d:ci=2,co=4,depth=3,h=4,w=5,k=3x3x2,p=1x1x0+relu",
    "c3d:ci=1,co=3,depth=4,h=3,w=3,k=2,s=2x1x1,p=1",
    "gmm:m=7,n=13,k=17",
    "gmm:b=2,m=5,n=6,k=4,ta=1+bias",
    "gmm:m=12,n=16,k=8,tb=1,b_const=0+add",
    "gmm:b=3,m=3,n=7,k=6,ta=1,tb=1,b_const=0+relu",
    "gmm:m=1,n=9,k=10+bias+relu",
    "gmm:m=8,n=1,k=6",
};

struct Tally {
  int accepted = 0, rejected = 0;
};

// One trace: rejected in one line, or right.
void judge(const Operator& op, const Trace& trace, const Target& target, Tally& tally) {
  const auto describe = [&] { return print(op) + "\n" + print(trace); };
  EXPECT_TRUE(testing::survives_printing(trace));
  const Result<Program> program = lowered(op, trace, target);
  if (!program) {
    ++tally.rejected;
    const std::string& message = program.error().message;
    EXPECT_FALSE(message.empty()) << describe();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message << "\n" << describe();
    return;
  }
  ++tally.accepted;
  EXPECT_TRUE(testing::computes(op, *program)) << describe() << print(*program);
}

// Points of a space are never rejected.
void judge_points(std::span<const char* const> specs, const Target& target) {
  constexpr int kPointsPerSpace = 20;
  std::mt19937_64 rng(1);
  Tally tally;
  for (const char* spec : specs) {
    const Operator op = operator_of(spec);
    const Space space = *build_space(op, target);
    for (int k = 0; k < kPointsPerSpace && !::testing::Test::HasFailure(); ++k)
      judge(op, space.decode(space.sample(rng)), target, tally);
  }
  EXPECT_EQ(tally.rejected, 0);
  EXPECT_EQ(tally.accepted, kPointsPerSpace * static_cast<int>(specs.size()));
}

TEST(RandomTrace, PointsForSixteenLanesAreRight) { judge_points(kSpecs, cpu(16, 32)); }
TEST(RandomTrace, PointsForFourLanesAreRight) { judge_points(kSpecs, cpu(4, 16)); }

// A good share of free traces is legal, and all of those are right. `accepted` is what this seed
// gives, less a margin: the tests of this file judge more than 2,000 accepted traces together.
void judge_free_traces(std::span<const char* const> specs, uint64_t seed, int accepted) {
  constexpr int kTracesPerSpec = 150;
  std::mt19937_64 rng(seed);
  Tally tally;
  for (const char* spec : specs) {
    const Operator op = operator_of(spec);
    for (int k = 0; k < kTracesPerSpec && !::testing::Test::HasFailure(); ++k)
      judge(op, testing::random_trace(op, cpu(), rng), cpu(), tally);
  }
  EXPECT_GE(tally.accepted, accepted);
  EXPECT_GE(3 * tally.accepted, tally.accepted + tally.rejected);
}

constexpr size_t kNumPlanes = 9;  // of kSpecs: convolutions over h and w

TEST(RandomTrace, FreeOnesOfPlanesAreRightOrRejected) {
  judge_free_traces(std::span(kSpecs).first(kNumPlanes), 1, 750);
}

TEST(RandomTrace, FreeOnesOfLinesVolumesAndProductsAreRightOrRejected) {
  judge_free_traces(std::span(kSpecs).subspan(kNumPlanes), 2, 850);
}

}  // namespace
}  // namespace dovetail
