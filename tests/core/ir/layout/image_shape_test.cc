// SPDX-License-Identifier: Apache-2.0
#include "core/ir/layout/image_shape.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

Layout five_axes(MemoryScope scope) {
  Layout layout = identity_layout({{"a", 2}, {"b", 3}, {"c", 5}, {"d", 7}, {"e", 4}});
  layout.scope = scope;
  return layout;
}

struct Sides {
  int64_t width, height, layers;
};

Sides sides(MemoryScope scope) {
  const Result<ImageShape> shape = image_shape(five_axes(scope));
  if (!shape) return {0, 0, 0};
  EXPECT_EQ(shape->width * shape->height * shape->layers * kTexelComponents, 2 * 3 * 5 * 7 * 4);
  return {shape->width, shape->height, shape->layers};
}

void expect_sides(MemoryScope scope, Sides expected) {
  const Sides found = sides(scope);
  EXPECT_EQ(found.width, expected.width) << print(scope);
  EXPECT_EQ(found.height, expected.height) << print(scope);
  EXPECT_EQ(found.layers, expected.layers) << print(scope);
}

TEST(ImageShape, FlattensAxesByScope) {
  expect_sides(MemoryScope::texture, {7, 2 * 3 * 5, 1});
  expect_sides(MemoryScope::texture_weight, {3 * 5 * 7, 2, 1});
  expect_sides(MemoryScope::texture_nhwc, {5 * 7, 2 * 3, 1});
  expect_sides(MemoryScope::texture_array, {7, 5, 2 * 3});
  expect_sides(MemoryScope::texture_weight_array, {3 * 5 * 7, 2, 1});
  expect_sides(MemoryScope::texture_nhwc_array, {5 * 7, 3, 2});
}

TEST(ImageShape, OfTwoOrThreeAxesKeepsTheLastForTheWidth) {
  Layout layout = identity_layout({{"a", 6}, {"e", 4}});
  for (const MemoryScope scope :
       {MemoryScope::texture, MemoryScope::texture_weight, MemoryScope::texture_nhwc}) {
    layout.scope = scope;
    EXPECT_EQ(image_shape(layout)->width, 6) << print(scope);
    EXPECT_EQ(image_shape(layout)->height, 1) << print(scope);
  }
  layout = identity_layout({{"a", 6}, {"b", 5}, {"e", 4}});
  layout.scope = MemoryScope::texture_nhwc;
  EXPECT_EQ(image_shape(layout)->width, 5);
  EXPECT_EQ(image_shape(layout)->height, 6);
}

TEST(ImageShape, FailsWhenTheInnermostAxisIsNoTexel) {
  Layout layout = identity_layout({{"a", 6}, {"b", 8}});
  layout.scope = MemoryScope::texture;
  EXPECT_ERROR(image_shape(layout), "the innermost axis b has extent 8, scope texture needs 4");
}

TEST(ImageShape, FailsForABuffer) {
  EXPECT_ERROR(image_shape(identity_layout({{"a", 6}, {"b", 4}})), "scope global is not an image");
}

TEST(ImageLimits, NameTheSideTheNumberAndTheLimit) {
  Target target;
  target.device = "phone";
  const ImageShape shape = *image_shape(five_axes(MemoryScope::texture_array));
  EXPECT_ERROR(check_image_limits(shape, target), "device phone has no images");
  target.has_images = true;
  target.image2d_max_width = 7;
  target.image2d_max_height = 4;
  EXPECT_ERROR(check_image_limits(shape, target), "image height 5 is over the limit 4");
  target.image2d_max_height = 5;
  EXPECT_ERROR(check_image_limits(shape, target), "image layers 6 is over the limit 0");
  target.image_array_max_layers = 6;
  EXPECT_TRUE(check_image_limits(shape, target));
}

}  // namespace
}  // namespace dovetail
