// SPDX-License-Identifier: Apache-2.0
#include "core/ir/layout/restate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/ir/lexer.h"
#include "tests/support/gather_map.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;
using Shape = std::vector<int64_t>;

NormalLayout form(const std::string& text, const Shape& shape) {
  Cursor cursor = right(Cursor::over(text, "form"));
  return right(parse_normal_layout(cursor, numbered_dims(shape)), text);
}

std::string restated_text(const std::string& text, const Shape& shape, const Shape& other) {
  const auto found = restated(form(text, shape), shape, other);
  return found ? print(*found, numbered_dims(other)) : "nothing";
}

TEST(Restate, SaysTheSameStorageOfAnotherShape) {
  const std::string heads = "1@64:12 0@1:128 1@1:64";
  EXPECT_EQ(restated_text(heads, {128, 768}, {128, 12, 64}), "1@1:12 0@1:128 2@1:64");
  EXPECT_EQ(restated_text(heads, {128, 768}, {1536, 64}), "0@1:12 0@12:128 1@1:64");
  EXPECT_EQ(restated_text(heads, {128, 768}, {1, 128, 1, 768}), "3@64:12 1@1:128 3@1:64");
  EXPECT_EQ(restated_text("row_major", {4, 6}, {3, 8}), "row_major");
  EXPECT_EQ(restated_text("row_major", {1}, {}), "row_major");
}

TEST(Restate, RefusesDigitsThatCrossDimensions) {
  EXPECT_EQ(restated_text("1@1:6 0@1:4", {4, 6}, {3, 8}), "nothing");
  EXPECT_EQ(restated_text("1@6:4 0@1:3 1@1:6", {3, 24}, {3, 6, 4}), "nothing");
}

TEST(Restate, RefusesPaddingAndWhatIsStoredTwice) {
  EXPECT_EQ(restated_text("0@1:6 offset 0=-1", {4}, {2, 2}), "nothing");
  EXPECT_EQ(restated_text("0@1:8", {6}, {2, 3}), "nothing");
}

std::string cropped_text(const std::string& text, const Shape& shape) {
  const auto found = without_padding(form(text, shape), numbered_dims(shape));
  return found ? print(*found, numbered_dims(shape)) : "nothing";
}

TEST(Restate, DropsPaddingBehindRows) {
  EXPECT_EQ(cropped_text("0@16:4 1@1:16 0@1:16", {64, 14}), "0@16:4 1@1:14 0@1:16");
  EXPECT_EQ(cropped_text("0@16:4 1@1:14 0@1:16", {64, 14}), "0@16:4 1@1:14 0@1:16");
  EXPECT_EQ(cropped_text("0@16:4 1@7:3 0@1:16 1@1:7", {64, 14}), "0@16:4 1@7:2 0@1:16 1@1:7");
  EXPECT_EQ(cropped_text("0@1:8 1@1:10", {6, 9}), "row_major");
}

TEST(Restate, KeepsNoPaddingInsideBlocksNorInFront) {
  EXPECT_EQ(cropped_text("0@16:2 1@1:9 0@1:16", {24, 9}), "nothing") << "half of a block";
  EXPECT_EQ(cropped_text("0@1:8 offset 0=-1", {6}), "nothing");
  EXPECT_EQ(cropped_text("0@2:3 0@1:3", {7}), "nothing") << "stored twice";
}

// The elements stay in their order.
RC_GTEST_PROP(Restate, CroppedElementsStayInOrder, ()) {
  const auto draw = [](int64_t most) { return *rc::gen::inRange<int64_t>(1, most + 1); };
  const Shape shape{draw(3) * 4, draw(9), draw(9)};
  const int64_t tile = draw(4);
  const int64_t rows = (shape[1] + tile - 1) / tile * tile + *rc::gen::element<int64_t>(0, tile);
  const NormalLayout tiled{.offsets = {0, 0, 0},
                           .digits = {{0, 4, shape[0] / 4},
                                      {1, 1, rows},
                                      {2, tile, (shape[2] + tile - 1) / tile},
                                      {0, 1, 4},
                                      {2, 1, tile}}};
  const auto dims = numbered_dims(shape);
  const NormalLayout padded = normal_form(layout_of(tiled, dims));
  const auto cropped = without_padding(padded, dims);
  if (!cropped) RC_DISCARD("a row ends inside a tile");
  std::vector<int64_t> elements = gather_map(layout_of(padded, dims));
  std::erase(elements, -1);
  RC_ASSERT(elements == gather_map(layout_of(*cropped, dims)));
}

TEST(Restate, PermutesDimensions) {
  const Shape shape{128, 768};
  const NormalLayout stored = form("1@64:12 0@1:128 1@1:64", shape);
  EXPECT_EQ(
      print(permuted(stored, shape, std::vector<size_t>{1, 0}), numbered_dims(Shape{768, 128})),
      "0@64:12 1@1:128 0@1:64");
}

TEST(Restate, ComposesAFormOfStorage) {
  const Shape shape{8, 64};
  const NormalLayout outer = form("1@16:4 0@1:8 1@1:16", shape);
  const auto inner = composed(outer, shape, form("1@1:128 0@1:4", {4, 128}), Shape{4, 128});
  ASSERT_TRUE(inner);
  EXPECT_EQ(print(*inner, numbered_dims(shape)), "0@1:8 1@1:16 1@16:4");
  EXPECT_EQ(composed(outer, shape, form("row_major", {4, 128}), Shape{4, 128}), outer);
}

// Forms that are drawn: each dimension cut once or not, digits in any order.
NormalLayout drawn_form(const Shape& shape) {
  NormalLayout drawn{Shape(shape.size(), 0), {}};
  for (size_t d = 0; d < shape.size(); ++d) {
    std::vector<int64_t> cuts;
    for (int64_t cut = 1; cut <= shape[d]; ++cut)
      if (shape[d] % cut == 0) cuts.push_back(cut);
    const int64_t cut = *rc::gen::elementOf(cuts);
    const int dim = static_cast<int>(d);
    drawn.digits.push_back({dim, cut, shape[d] / cut, 0});
    drawn.digits.push_back({dim, 1, cut, 0});
  }
  for (size_t k = drawn.digits.size(); k > 1; --k)
    std::swap(drawn.digits[k - 1], drawn.digits[*rc::gen::inRange<size_t>(0, k)]);
  std::erase_if(drawn.digits, [](const NormalDigit& digit) { return digit.extent == 1; });
  return normal_form(layout_of(drawn, numbered_dims(shape)));
}

const std::vector<Shape> kShapes = {{24}, {4, 6}, {2, 2, 6}, {3, 8}, {1, 24}, {2, 3, 4}, {6, 1, 4}};

RC_GTEST_PROP(RestateLaw, KeepsEveryElementInItsPlace, ()) {
  const Shape shape = *rc::gen::elementOf(kShapes), other = *rc::gen::elementOf(kShapes);
  const NormalLayout drawn = drawn_form(shape);
  RC_ASSERT(is_one_to_one(drawn, shape));
  const auto found = restated(drawn, shape, other);
  if (!found) return;
  RC_ASSERT(gather_map(layout_of(*found, numbered_dims(other))) ==
            gather_map(layout_of(drawn, numbered_dims(shape))));
  RC_ASSERT(restated(*found, other, shape) == drawn);
}

RC_GTEST_PROP(RestateLaw, EachShapeTakesWhatIsRowMajor, ()) {
  const Shape shape = *rc::gen::elementOf(kShapes), other = *rc::gen::elementOf(kShapes);
  RC_ASSERT(restated(row_major_form(numbered_dims(shape)), shape, other) ==
            row_major_form(numbered_dims(other)));
}

RC_GTEST_PROP(RestateLaw, APermutationIsUndone, ()) {
  const Shape shape = *rc::gen::elementOf(kShapes);
  std::vector<size_t> order(shape.size()), back(shape.size());
  std::iota(order.begin(), order.end(), 0);
  for (size_t k = order.size(); k > 1; --k)
    std::swap(order[k - 1], order[*rc::gen::inRange<size_t>(0, k)]);
  Shape moved;
  for (size_t i = 0; i < order.size(); ++i) {
    back[order[i]] = i;
    moved.push_back(shape[order[i]]);
  }
  const NormalLayout drawn = drawn_form(shape);
  RC_ASSERT(permuted(permuted(drawn, shape, order), moved, back) == drawn);
}

// Every element is where both forms in turn put it.
RC_GTEST_PROP(RestateLaw, ComposedFormsAreOneStorage, ()) {
  const Shape shape = *rc::gen::elementOf(kShapes), inner_shape = *rc::gen::elementOf(kShapes);
  const NormalLayout outer = drawn_form(shape), inner = drawn_form(inner_shape);
  const auto found = composed(outer, shape, inner, inner_shape);
  if (!found) return;
  const auto of_outer = gather_map(layout_of(outer, numbered_dims(shape)));
  std::vector<int64_t> expected;
  for (const int64_t e : gather_map(layout_of(inner, numbered_dims(inner_shape))))
    expected.push_back(of_outer[static_cast<size_t>(e)]);
  RC_ASSERT(gather_map(layout_of(*found, numbered_dims(shape))) == expected);
}

}  // namespace
}  // namespace dovetail
