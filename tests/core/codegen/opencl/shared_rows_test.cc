// SPDX-License-Identifier: Apache-2.0
// Rows that work-items share, on a device: softmaxes and norms of any size, by default and at
// random points of their spaces.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "core/ir/region/task_spec.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/space.h"
#include "tests/core/codegen/opencl/execution.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail::testing {
namespace {

constexpr double kRoundings = 1e-5;  // exp and rsqrt of the device and of the interpreter

std::vector<std::string> random_rows(std::mt19937_64& rng, bool in_vectors) {
  const auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(rng);
  };
  const int64_t rows = draw(2, 9), columns = in_vectors ? 4 * draw(16, 40) : draw(4, 99);
  return {fmt::format("M[i]max=S[i,j];E[i,j]=exp(S[i,j]-M[i]);D[i]+=E[i,j];Y[i,j]=E[i,j]/D[i]:"
                      "i={},j={}",
                      rows, columns),
          fmt::format("M[i]=sum(X[i,j])/{1};V[i]=rsqrt(sum((X[i,j]-M[i])*(X[i,j]-M[i]))/{1}+0.001);"
                      "Y[i,j]=(X[i,j]-M[i])*V[i]*G[j]+B[j]:i={0},j={1},const=G.B",
                      rows, columns)};
}

TEST(OpenclSharedRows, AgreeWithTheInterpreter) {
  DOVETAIL_REQUIRE_OPENCL();
  std::mt19937_64 rng(5);
  int in_one_kernel = 0;
  for (int round = 0; round < 2; ++round) {
    for (const std::string& spec : random_rows(rng, round == 0)) {
      const Target target = target_of_profile("h200.profile");
      const Space space = right(build_space(right(parse_task_spec(spec), spec), target), spec);
      for (const Point& point : {space.default_point(), space.sample(rng)}) {
        const Trace trace = space.decode(point);
        const std::string what = spec + "\n" + print(trace);
        const Program program =
            right(lower(right(apply(trace, space.spec().region, target), what), target), what);
        EXPECT_TRUE(device_agrees(program, kRoundings)) << what;
        in_one_kernel += program.kernels.size() == 1 ? 1 : 0;
      }
    }
  }
  EXPECT_GE(in_one_kernel, 2);
}

}  // namespace
}  // namespace dovetail::testing
