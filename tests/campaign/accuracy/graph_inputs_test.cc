// SPDX-License-Identifier: Apache-2.0
#include "campaign/accuracy/graph_inputs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

Graph graph_of(const std::string& inputs) {
  return right(parse_graph("graph g\n" + inputs + "output x\n", "g"));
}

TEST(GraphInputs, AreRandomNumbersOfEachType) {
  const Graph graph = graph_of("input x: f32[3]\ninput i: i64[64]\n");
  const std::vector<NDArray> inputs = right(graph_inputs(graph, "", 0));
  ASSERT_EQ(inputs.size(), 2u);
  for (size_t i = 0; i < 3; ++i) EXPECT_LE(std::abs(inputs[0].real(i)), 1);
  int64_t ones = 0;
  for (size_t i = 0; i < 64; ++i) ones += inputs[1].integer(i);
  EXPECT_GT(ones, 8);
  EXPECT_LT(ones, 56);
}

TEST(GraphInputs, AreOfTypesThatCodeIsMadeFor) {
  EXPECT_ERROR(graph_inputs(graph_of("input x: u64[3]\n"), "", 0),
               "input x is of type u64; expected f32, f16, i64");
}

}  // namespace
}  // namespace dovetail
