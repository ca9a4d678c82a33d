// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/contraction.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "measure/reference/operands.h"

namespace dovetail {
namespace {

// A small integer for each point of the axes that the factor has: sums are exact.
double element(uint64_t stream, const std::vector<bool>& has, const std::vector<int64_t>& at) {
  uint64_t position = 0;
  for (size_t a = 0; a < has.size(); ++a)
    position = position * 1000 + (has[a] ? static_cast<uint64_t>(at[a]) : 0);
  return static_cast<double>(noise(stream, position) % 9) - 4;
}

template <typename Number>
FactorRun<Number> drawn(uint64_t stream, const std::vector<bool>& has) {
  return [=](std::vector<int64_t> at, size_t axis, std::span<Number> elements) {
    for (Number& one : elements) {
      one = static_cast<Number>(element(stream, has, at));
      ++at[axis];
    }
  };
}

// The definition: one product after the other.
std::vector<double> by_definition(const Contraction& axes) {
  std::vector<double> sums;
  std::vector<int64_t> at(axes.extents.size());
  const std::function<void(size_t)> walk = [&](size_t axis) {
    if (axis == axes.num_output_axes) sums.push_back(0);
    if (axis == at.size()) {
      sums.back() += element(1, axes.left, at) * element(2, axes.right, at);
      return;
    }
    for (at[axis] = 0; at[axis] < axes.extents[axis]; ++at[axis]) walk(axis + 1);
    at[axis] = 0;
  };
  walk(0);
  return sums;
}

template <typename Number>
std::vector<double> contracted(const Contraction& axes) {
  const std::vector<Number> sums =
      contract<Number>(axes, drawn<Number>(1, axes.left), drawn<Number>(2, axes.right));
  return {sums.begin(), sums.end()};
}

void expect_by_definition(const Contraction& axes) {
  const std::vector<double> expected = by_definition(axes);
  EXPECT_EQ(contracted<double>(axes), expected);
  EXPECT_EQ(contracted<float>(axes), expected);
}

TEST(Contraction, CoversSeveralTilesAndSummedBlocks) {
  expect_by_definition({.extents = {130, 259, 37},
                        .num_output_axes = 2,
                        .left = {true, false, true},
                        .right = {false, true, true}});
}

TEST(Contraction, ShortensRunsWhereAnAxisCarries) {
  // As Y[o,h,w] += X[i,h+r,w+s] * W[o,i,r,s].
  expect_by_definition({.extents = {3, 7, 41, 5, 3, 2},
                        .num_output_axes = 3,
                        .left = {false, true, true, true, true, true},
                        .right = {true, false, false, true, true, true}});
}

TEST(Contraction, OfAProductWithoutCommonAxes) {
  expect_by_definition({.extents = {3, 5, 4},
                        .num_output_axes = 2,
                        .left = {true, false, false},
                        .right = {false, true, false}});
}

RC_GTEST_PROP(Contraction, IsItsDefinition, ()) {
  Contraction axes;
  axes.num_output_axes = *rc::gen::inRange<size_t>(0, 4);
  const auto summed = *rc::gen::inRange<size_t>(1, 4);
  for (size_t a = 0; a < axes.num_output_axes + summed; ++a) {
    axes.extents.push_back(*rc::gen::inRange<int64_t>(1, 8));
    axes.left.push_back(*rc::gen::arbitrary<bool>());
    axes.right.push_back(*rc::gen::arbitrary<bool>());
  }
  RC_ASSERT(contracted<double>(axes) == by_definition(axes));
}

}  // namespace
}  // namespace dovetail
