// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/small_kernels.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/primitives/lowering/border_programs.h"

namespace dovetail {
namespace {

Target with_threads(int threads) {
  Target target;
  target.vector_bytes = 64;
  target.name.threads = threads;
  return target;
}

Program scaling(int64_t rows, const std::string& value = "2*A[a, b]") {
  return testing::parsed_program(
      fmt::format(R"(buffer A: f32 activation A[a={0}, b=32] as [a@1:{0}] [b@1:32]
buffer D: f32 output D[a={0}, b=32] as [a@1:{0}] [b@1:32]
kernel D
  for a in 0..{0} parallel
    for b in 0..32 vectorized
      D[a, b] = {1}
)",
                  rows, value));
}

TEST(SmallKernels, CountVectorsAndFunctions) {
  const Target target = with_threads(2);
  EXPECT_EQ(vector_steps(scaling(8).kernels[0], target), 8 * 2 * 3) << "load, product, store";
  EXPECT_EQ(vector_steps(scaling(8, "exp(A[a, b])").kernels[0], target), 8 * 2 * 12);
}

TEST(SmallKernels, AreNotShared) {
  const Program small = serialize_small_kernels(scaling(8), with_threads(2));
  EXPECT_EQ(parallel_extent(small.kernels[0]), 1);
  EXPECT_TRUE(verify(small).has_value());
}

TEST(SmallKernels, OthersAreShared) {
  const Program large = serialize_small_kernels(scaling(100), with_threads(2));
  EXPECT_EQ(parallel_extent(large.kernels[0]), 100);
}

TEST(SmallKernels, AreLeftWhereThereIsOneThread) {
  EXPECT_EQ(serialize_small_kernels(scaling(8), with_threads(1)), scaling(8));
}

}  // namespace
}  // namespace dovetail
