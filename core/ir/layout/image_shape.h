// SPDX-License-Identifier: Apache-2.0
#pragma once

// ImageShape: the image that a layout in one of the texture scopes becomes. The innermost physical
// axis is the texel (4 components, CL_RGBA); the others are flattened to the image's coordinates:
//
//   [A, B, C, D, 4]          height   width          array variant: layers  height  width
//   texture                  A*B*C    D                             A*B     C       D
//   texture:weight           A        B*C*D                         1       A       B*C*D
//   texture:nhwc             A*B      C*D                           A       B       C*D
//
// Layers, rows, columns and components follow each other in the order of the axes, so the image's
// bytes without row padding are the layout's physical elements in row-major order.
//
// Defined here because spaces, the emitter and the runtime must agree on the meaning of a scope.

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/ir/layout/layout.h"
#include "core/ir/target.h"

namespace dovetail {

inline constexpr int64_t kTexelComponents = 4;

struct ImageShape {
  int64_t width = 1, height = 1, layers = 1;
  bool is_array = false;
  // Physical axes [0, y_begin) count layers, [y_begin, x_begin) rows, [x_begin, rank - 1) columns.
  int y_begin = 0, x_begin = 0;
  friend bool operator==(const ImageShape&, const ImageShape&) = default;
};

// Fails when the scope is not a texture scope or the innermost extent is not 4.
Result<ImageShape> image_shape(const Layout& layout);
// The same, from the physical extents.
Result<ImageShape> image_shape(const std::vector<int64_t>& extents, MemoryScope scope);

// Fails when the device has no images, or a side exceeds its limit; the error names both numbers.
Result<void> check_image_limits(const ImageShape& shape, const Target& target);

}  // namespace dovetail
