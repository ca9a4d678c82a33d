// SPDX-License-Identifier: Apache-2.0
#include "core/ir/layout/image_shape.h"

#include <algorithm>

#include "core/base/fail.h"

namespace dovetail {
namespace {

// Number of axes, of `rank`, that do not belong to the width.
int axes_before_width(MemoryScope scope, int rank) {
  switch (scope) {
    case MemoryScope::texture:
    case MemoryScope::texture_array: return rank - 2;
    case MemoryScope::texture_nhwc:
    case MemoryScope::texture_nhwc_array: return std::min(2, rank - 2);
    default: return std::min(1, rank - 2);
  }
}

bool is_array_scope(MemoryScope scope) {
  return scope == MemoryScope::texture_array || scope == MemoryScope::texture_weight_array ||
         scope == MemoryScope::texture_nhwc_array;
}

int64_t extent_product(const Layout& layout, int first, int last) {
  int64_t product = 1;
  for (int axis = first; axis < last; ++axis)
    product *= layout.axes[static_cast<size_t>(axis)].extent();
  return product;
}

Result<void> check_side(const char* side, int64_t extent, int64_t limit, const Target& target) {
  if (extent <= limit) return {};
  return fail_by_limit("image {} {} is over the limit {} of device {}", side, extent, limit,
                       target.device);
}

}  // namespace

Result<ImageShape> image_shape(const Layout& layout) {
  if (!is_texture(layout.scope))
    return fail("scope {} is not an image, expected a texture scope", print(layout.scope));
  const int rank = static_cast<int>(layout.axes.size());
  if (rank < 2) return fail("an image needs at least 2 physical axes, found {}", rank);
  const PhysicalAxis& texel = layout.axes.back();
  if (texel.extent() != kTexelComponents) {
    return fail("the innermost axis {} has extent {}, scope {} needs {} (one texel)", texel.name,
                texel.extent(), print(layout.scope), kTexelComponents);
  }
  ImageShape shape;
  shape.is_array = is_array_scope(layout.scope);
  shape.x_begin = axes_before_width(layout.scope, rank);
  shape.y_begin = shape.is_array ? std::max(0, shape.x_begin - 1) : 0;
  shape.layers = extent_product(layout, 0, shape.y_begin);
  shape.height = extent_product(layout, shape.y_begin, shape.x_begin);
  shape.width = extent_product(layout, shape.x_begin, rank - 1);
  return shape;
}

Result<void> check_image_limits(const ImageShape& shape, const Target& target) {
  if (!target.has_images) return fail_by_limit("device {} has no images", target.device);
  TRY(check_side("width", shape.width, target.image2d_max_width, target));
  TRY(check_side("height", shape.height, target.image2d_max_height, target));
  if (!shape.is_array) return {};
  return check_side("layers", shape.layers, target.image_array_max_layers, target);
}

}  // namespace dovetail
