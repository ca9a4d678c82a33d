// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/ir/layout/layout.h"
#include "primitives/initial_loops.h"
#include "tests/primitives/lowered.h"

namespace dovetail {
namespace {

using testing::applied;
using testing::layout_of;

const Layout& sample() {
  static const Layout kLayout =
      *applied("pad(axis=h, before=1, after=1) split(axis=o, factor=16) reorder(o.0, h, o.1)",
               layout_of("Y[o=64, h=56]"));
  return kLayout;
}

std::string printed(const std::vector<IndexExpr>& indices) {
  std::string text;
  for (const IndexExpr& index : indices) text += (text.empty() ? "" : ", ") + print(index);
  return text;
}

std::vector<IndexExpr> variables(const std::vector<std::string>& names) {
  std::vector<IndexExpr> indices;
  for (const std::string& name : names) indices.push_back(IndexExpr::variable(name));
  return indices;
}

// The inverse, for layouts without overlap.
std::vector<IndexExpr> physical_indices(const Layout& layout, const std::vector<IndexExpr>& logical,
                                        const Ranges& ranges) {
  std::vector<IndexExpr> physical;
  for (const PhysicalAxis& axis : layout.axes) {
    IndexExpr index;
    for (const Digit& digit : axis.digits) {
      const auto dim = static_cast<size_t>(digit.dim);
      const IndexExpr element = logical[dim] - IndexExpr(layout.offsets[dim]);
      const IndexExpr value =
          floor_mod(floor_div(element, digit.step, ranges), digit.extent, ranges);
      index = index * digit.extent + value;
    }
    physical.push_back(index);
  }
  return physical;
}

TEST(LogicalIndices, SumTheDigitsOfEachDim) {
  const Ranges ranges = {{"a", {0, 3}}, {"b", {0, 57}}, {"c", {0, 15}}};
  EXPECT_EQ(printed(logical_indices(sample(), variables({"a", "b", "c"}), ranges)),
            "16*a + c, b - 1");
}

TEST(PhysicalIndices, TakeTheDigitsApart) {
  const Ranges ranges = {{"o", {0, 63}}, {"h", {0, 55}}};
  EXPECT_EQ(printed(physical_indices(sample(), variables({"o", "h"}), ranges)),
            "(o div 16), h + 1, (o mod 16)");
}

TEST(LogicalIndices, OfThePhysicalOnesAreTheElementItself) {
  const Ranges ranges = {{"o", {0, 63}}, {"h", {0, 55}}};
  const std::vector<IndexExpr> element = variables({"o", "h"});
  EXPECT_EQ(logical_indices(sample(), physical_indices(sample(), element, ranges), ranges),
            element);
}

}  // namespace
}  // namespace dovetail
