// SPDX-License-Identifier: Apache-2.0
//
// Random shapes of the nine operators: a trace is rejected with a one-line reason, or lowers to a
// program that computes the operator. Points of spaces are never rejected.
#include <gtest/gtest.h>

#include <random>

#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/random/random_operators.h"
#include "tests/primitives/random/random_traces.h"

namespace dovetail {
namespace {

constexpr OperatorKind kKinds[] = {OperatorKind::c1d, OperatorKind::c2d, OperatorKind::c3d,
                                   OperatorKind::grp, OperatorKind::dil, OperatorKind::dep,
                                   OperatorKind::t2d, OperatorKind::t3d, OperatorKind::gmm};

// Whether it was accepted; what is accepted must be right.
bool is_right(const Operator& op, const Trace& trace, const Target& target, bool from_space) {
  const Result<Program> program = testing::lowered(op, trace, target);
  if (!program) {
    const std::string& message = program.error().message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_FALSE(from_space) << message << "\n" << print(op) << "\n" << print(trace);
    return false;
  }
  EXPECT_TRUE(testing::computes(op, trace, *program)) << print(op) << "\n" << print(trace);
  return true;
}

int accepted_traces(const Target& target, uint64_t seed, int shapes) {
  constexpr int kPoints = 8, kFreeTraces = 16;
  std::mt19937_64 rng(seed);
  int accepted = 0;
  for (const OperatorKind kind : kKinds) {
    for (int shape = 0; shape < shapes && !::testing::Test::HasFailure(); ++shape) {
      const Operator op = testing::random_operator(kind, rng);
      const Space space = *build_space(op, target);
      for (int k = 0; k < kPoints; ++k) {
        const Point point = k == 0 ? space.default_point() : space.sample(rng);
        accepted += is_right(op, space.decode(point), target, true) ? 1 : 0;
      }
      for (int k = 0; k < kFreeTraces; ++k)
        accepted += is_right(op, testing::random_trace(op, target, rng), target, false) ? 1 : 0;
    }
  }
  return accepted;
}

TEST(RandomShapes, ForWideVectorsAreRight) {
  EXPECT_GE(accepted_traces(testing::cpu(16, 32), 1, 40), 4000);
}
TEST(RandomShapes, ForNarrowVectorsAreRight) {
  EXPECT_GE(accepted_traces(testing::cpu(4, 16), 2, 40), 4000);
}
TEST(RandomShapes, ForDevicesAreRight) {
  EXPECT_GE(accepted_traces(testing::opencl_with_images(), 3, 30), 2800);
}

}  // namespace
}  // namespace dovetail
