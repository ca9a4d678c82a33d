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

int64_t extent_product(const std::vector<int64_t>& extents, int first, int last) {
  int64_t product = 1;
  for (int axis = first; axis < last; ++axis) product *= extents[static_cast<size_t>(axis)];
  return product;
}

Result<void> check_side(const char* side, int64_t extent, int64_t limit, const Target& target) {
  if (extent <= limit) return {};
  return fail_by_limit("image {} {} is over the limit {} of device {}", side, extent, limit,
                       target.device);
}

}  // namespace

Result<ImageShape> image_shape(const std::vector<int64_t>& extents, MemoryScope scope) {
  if (!is_texture(scope))
    return fail("scope {} is not an image, expected a texture scope", print(scope));
  const int rank = static_cast<int>(extents.size());
  if (rank < 2) return fail("an image needs at least 2 physical axes, found {}", rank);
  if (extents.back() != kTexelComponents) {
    return fail("the innermost axis has extent {}, scope {} needs {} (one texel)", extents.back(),
                print(scope), kTexelComponents);
  }
  ImageShape shape;
  shape.is_array = is_array_scope(scope);
  shape.x_begin = axes_before_width(scope, rank);
  shape.y_begin = shape.is_array ? std::max(0, shape.x_begin - 1) : 0;
  shape.layers = extent_product(extents, 0, shape.y_begin);
  shape.height = extent_product(extents, shape.y_begin, shape.x_begin);
  shape.width = extent_product(extents, shape.x_begin, rank - 1);
  return shape;
}

Result<ImageShape> image_shape(const Layout& layout) {
  const bool has_texel = layout.axes.empty() || layout.axes.back().extent() == kTexelComponents;
  if (is_texture(layout.scope) && layout.axes.size() > 1 && !has_texel) {
    const PhysicalAxis& texel = layout.axes.back();
    return fail("the innermost axis {} has extent {}, scope {} needs {} (one texel)", texel.name,
                texel.extent(), print(layout.scope), kTexelComponents);
  }
  return image_shape(physical_extents(layout), layout.scope);
}

Result<void> check_image_limits(const ImageShape& shape, const Target& target) {
  if (!target.has_images) return fail_by_limit("device {} has no images", target.device);
  TRY(check_side("width", shape.width, target.image2d_max_width, target));
  TRY(check_side("height", shape.height, target.image2d_max_height, target));
  if (!shape.is_array) return {};
  return check_side("layers", shape.layers, target.image_array_max_layers, target);
}

}  // namespace dovetail
