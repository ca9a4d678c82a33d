// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/memory_bound/shared_rows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "core/ir/program/work_groups.h"
#include "core/ir/region/task_spec.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/space.h"
#include "tests/primitives/region_runs.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail::memory_bound {
namespace {

using testing::right;

std::string softmax(int64_t rows, int64_t columns) {
  return fmt::format(
      "M[i]max=S[i,j];E[i,j]=exp(S[i,j]-M[i]);D[i]+=E[i,j];Y[i,j]=E[i,j]/D[i]:i={},j={}", rows,
      columns);
}

std::string layer_norm(int64_t rows, int64_t columns) {
  return fmt::format(
      "T[i,j]=X[i,j]+R[i,j];M[i]=sum(T[i,j])/{1};V[i]=rsqrt(sum((T[i,j]-M[i])*(T[i,j]-M[i]))/{1}+"
      "0.001);Y[i,j]=(T[i,j]-M[i])*V[i]*G[j]+B[j]:i={0},j={1},const=G.B",
      rows, columns);
}

Space space_on_h200(const std::string& spec) {
  return right(
      build_space(right(parse_task_spec(spec), spec), testing::target_of_profile("h200.profile")),
      spec);
}

Program program_of(const Space& space, const Trace& trace) {
  const Target target = testing::target_of_profile("h200.profile");
  return right(lower(right(apply(trace, space.spec().region, target), print(trace)), target),
               print(trace));
}

TEST(SharedRows, OfASoftmaxAreOneKernelWithAGroupForEach) {
  const Space space = space_on_h200(softmax(1536, 128));
  const Program program = program_of(space, space.default_trace());
  ASSERT_EQ(program.kernels.size(), 1U) << print(program);
  EXPECT_EQ(work_groups_of(program.kernels[0]).groups, 1536);
  EXPECT_EQ(work_groups_of(program.kernels[0]).work_items, 32);
  EXPECT_TRUE(testing::matches_golden(print(space.default_trace()) + print(program),
                                      "primitives/space/shared_rows"));
}

// A work-item waits for single loads otherwise.
TEST(SharedRows, LoadManyElementsAtOnce) {
  const auto unrolled = [](int64_t columns) {
    const Space space = space_on_h200(layer_norm(128, columns));
    const std::string trace = print(space.default_trace());
    return trace.find("unroll(") != std::string::npos;
  };
  EXPECT_TRUE(unrolled(768));
  EXPECT_TRUE(unrolled(100)) << "25 parts of 4";
}

TEST(SharedRows, OfALayerNormAreOneKernelAndRight) {
  const Space space = space_on_h200(layer_norm(5, 192));
  const Program program = program_of(space, space.default_trace());
  ASSERT_EQ(program.kernels.size(), 1U) << print(program);
  EXPECT_EQ(work_groups_of(program.kernels[0]).groups, 5);
  EXPECT_TRUE(testing::computes(space.spec().region, program)) << print(program);
}

// The work-items of a group make parts of what is reduced, whatever the rows.
TEST(SharedRows, AreReducedInParts) {
  for (const std::string& spec : {softmax(1 << 16, 1024), layer_norm(2048, 768)}) {
    const Space space = space_on_h200(spec);
    const Trace trace = space.default_trace();
    EXPECT_EQ(program_of(space, trace).kernels.size(), 1U);
    EXPECT_NE(print(trace).find("rfactor("), std::string::npos) << print(trace);
  }
}

// 61 work-items have no parts of several elements; sums that each of them makes again would take
// longer than the launches that are saved.
TEST(SharedRows, ThatAreManyAreSummedUpApart) {
  const Space space = space_on_h200(softmax(1 << 20, 61));
  EXPECT_GT(program_of(space, space.default_trace()).kernels.size(), 1U);
}

TEST(SharedRows, OfFewColumnsHaveTooFewWorkItems) {
  const Space space = space_on_h200(softmax(64, 13));
  EXPECT_GT(program_of(space, space.default_trace()).kernels.size(), 1U);
}

TEST(SharedRows, InPointsOfASpaceAreRight) {
  std::mt19937_64 rng(11);
  int shared = 0;
  for (const std::string& spec : {softmax(6, 64), softmax(5, 37), layer_norm(4, 48),
                                  std::string("M[a,i]max=S[a,i,j];Y[a,i,j]=exp(S[a,i,j]-M[a,i])*"
                                              "K[a]:a=3,i=4,j=24")}) {
    const Space space = space_on_h200(spec);
    for (int k = 0; k < 60; ++k) {
      const Point point = space.sample(rng);
      const Trace trace = space.decode(point);
      const Program program = program_of(space, trace);
      ASSERT_TRUE(testing::computes(space.spec().region, program)) << print(trace);
      shared += print(space, point).find("=rows") != std::string::npos ? 1 : 0;
    }
  }
  EXPECT_GT(shared, 10);
}

}  // namespace
}  // namespace dovetail::memory_bound
