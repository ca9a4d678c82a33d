// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/primitives_of_form.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/ir/layout/restate.h"
#include "core/ir/lexer.h"
#include "primitives/layout/apply_layout.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;
using Shape = std::vector<int64_t>;

std::string primitives_text(const std::string& text, const std::vector<LogicalDim>& dims) {
  Cursor cursor = right(Cursor::over(text, "form"));
  const auto primitives = primitives_of(right(parse_normal_layout(cursor, dims), text), dims);
  if (!primitives) return "nothing";
  return print(Trace{.layouts = {{.tensor = "X", .primitives = *primitives}}, .loops = {}});
}

TEST(PrimitivesOfForm, SplitWhatLiesApart) {
  const std::vector<LogicalDim> dims{{"n", 1}, {"i", 64}, {"h", 56}};
  EXPECT_EQ(primitives_text("1@16:4 2@1:56 1@1:16", dims),
            "layout X: split(axis=i, factor=16) reorder(n, i.0, h, i.1)\n");
  EXPECT_EQ(primitives_text("2@1:56 1@1:64", dims), "layout X: reorder(n, h, i)\n");
  EXPECT_EQ(primitives_text("1@32:2 2@1:56 1@1:4 1@4:8", dims),
            "layout X: split(axis=i, factor=32) split(axis=i.1, factor=4) "
            "reorder(n, i.0, h, i.1.1, i.1.0)\n");
}

TEST(PrimitivesOfForm, SayNothingOfWhatIsPadded) {
  EXPECT_EQ(primitives_text("1@16:3 0@1:4 1@1:16", {{"h", 4}, {"i", 40}}), "nothing");
}

// Digits of each dimension, in any order in storage.
RC_GTEST_PROP(PrimitivesOfForm, AreTheWayToTheForm, ()) {
  std::vector<NormalDigit> digits;
  std::vector<LogicalDim> dims;
  const int num_dims = *rc::gen::inRange(1, 5);
  for (int dim = 0; dim < num_dims; ++dim) {
    int64_t step = 1;
    const int parts = *rc::gen::inRange(0, 4);
    for (int part = 0; part < parts; ++part) {
      digits.push_back({dim, step, *rc::gen::inRange<int64_t>(2, 5)});
      step *= digits.back().extent;
    }
    dims.push_back({std::string(1, static_cast<char>('a' + dim)), step});
  }
  std::vector<NormalDigit> stored;
  while (!digits.empty()) {
    const auto next = digits.begin() + *rc::gen::inRange<ptrdiff_t>(0, std::ssize(digits));
    stored.push_back(*next);
    digits.erase(next);
  }
  const NormalLayout drawn{.offsets = Shape(dims.size(), 0), .digits = stored};
  const NormalLayout form = normal_form(layout_of(drawn, dims));
  const auto primitives = primitives_of(form, dims);
  RC_ASSERT(primitives.has_value());
  const TensorLayout lines{.tensor = "X", .primitives = *primitives};
  RC_ASSERT(normal_form(right(apply_all(lines, identity_layout(dims)))) == form);
}

}  // namespace
}  // namespace dovetail
