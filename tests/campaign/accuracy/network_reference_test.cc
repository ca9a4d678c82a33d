// SPDX-License-Identifier: Apache-2.0
#include "campaign/accuracy/network_reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/ir/graph/graph.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Partition parts_of(std::string_view graph) {
  return right(partition(right(parse_graph(graph, "test.graph"), graph)), graph);
}

// In f32 the first node's 1 + 2^-30 is 1, and the second node's difference 0.
TEST(NetworkReference, RoundsNothingBetweenNodes) {
  const Partition parts = parts_of(
      "graph g\ninput x: f32[1]\ninput y: f32[1]\n"
      "node a = elementwise Add (x, y) -> t: f32[1]\n"
      "node v = data_movement Reshape (t) -> u: f32[1,1]\n"
      "node b = elementwise Written {region=\"Y[a,b]=A[a,b]-1:a=1,b=1\"} (u) -> z: f32[1,1]\n"
      "output z\n");
  const NetworkReference reference = right(
      network_reference(parts, {std::vector<float>{1}, std::vector<float>{0x1p-30F}}, {}, {}));
  ASSERT_EQ(reference.outputs.size(), 1u);
  EXPECT_EQ(reference.outputs[0].real(0), 0x1p-30);
}

TEST(NetworkReference, KeepsIntegersWhole) {
  const Partition parts = parts_of(
      "graph g\ninput x: i64[2]\nnode a = elementwise Add (x, x) -> y: i64[2]\noutput y\n");
  const int64_t large = (int64_t{1} << 53) + 1;
  const NetworkReference reference =
      right(network_reference(parts, {std::vector<int64_t>{large, -3}}, {}, {}));
  EXPECT_EQ(reference.outputs[0].integer(0), 2 * large);
  EXPECT_EQ(reference.outputs[0].integer(1), -6);
}

TEST(NetworkReference, ShowsTheNumbersOfEachNode) {
  const Partition parts = parts_of(
      "graph g\ninput x: f32[2]\nnode r = elementwise Relu (x) -> t: f32[2]\n"
      "node s = reduction ReduceSum {keepdims=0} (t) -> y: f32[]\noutput y\n");
  size_t nodes = 0;
  const VisitNode visit = [&](size_t, const Region&, const NamedArrays& given,
                              const NamedArrays& made) {
    ++nodes;
    EXPECT_EQ(given.size(), 1u);
    EXPECT_EQ(made.size(), 1u);
  };
  const NetworkReference reference =
      right(network_reference(parts, {std::vector<float>{-1, 3}}, visit, {}));
  EXPECT_EQ(reference.outputs[0].real(0), 3);
  EXPECT_EQ(nodes, parts.regions.size());
}

TEST(RangeError, IsOverTheRangeOfWhatIsExpected) {
  const std::vector<double> expected{-1, 0, 3};
  EXPECT_EQ(range_error(std::vector<float>{-1, 0, 3}, expected), 0);
  EXPECT_DOUBLE_EQ(range_error(std::vector<float>{-1, 0.5, 3}, expected), 0.125);
  EXPECT_EQ(range_error(std::vector<float>{-1, NAN, 3}, expected), kInfinity);
  EXPECT_EQ(
      range_error(std::vector<float>{INFINITY, NAN, 1}, std::vector<double>{INFINITY, NAN, 1}), 0);
  EXPECT_EQ(range_error(std::vector<float>{INFINITY, 1}, std::vector<double>{1e39, 1}), kInfinity);
}

}  // namespace
}  // namespace dovetail
