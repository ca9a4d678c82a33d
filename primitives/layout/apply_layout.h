// SPDX-License-Identifier: Apache-2.0
//
// The layouts of a schedule: primitives applied one after another, the layout that an activation
// has before its padding pass, and the requirements of a memory scope on a layout.
#pragma once

#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/ir/layout/layout.h"
#include "core/ir/operator/computation.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail {

Result<Layout> apply(const LayoutPrimitive& primitive, const Layout& layout);
// A primitive without an apply() of its own does not compile, instead of converting to the above.
template <typename Primitive>
Result<Layout> apply(const Primitive& primitive, const Layout& layout) = delete;
// `lines.tensor` must be the tensor's name; errors start with "layout X: ".
Result<Layout> apply_all(const TensorLayout& lines, const Layout& initial);

// The one-to-one layout closest to `layout`: padding and unfolding undone, splits kept where they
// divide the tensor. A producer can write it at no extra cost, and a padding pass reads it.
//
//   [i@16:4] [n@1:1] [h@4:14] [w@1:58] [h@1:6] [i@1:16] offset h=-1 w=-1
//   ->  [i@16:4] [n@1:1] [h@1:56] [w@1:56] [i@1:16]
Layout without_expansion(const Layout& layout);

// The same storage axis by axis, without the padding behind the tensor's elements; nullopt where
// leaving it out takes more than shorter axes of one digit, or a shorter last axis, along which
// vectors run.
//
//   [n@1:1] [h@1:14] [w@1:16] [o@4:16] [o@1:4]  ->  [n@1:1] [h@1:14] [w@1:14] [o@4:16] [o@1:4]
std::optional<Layout> cropped(const Layout& layout);

// Whether the target can keep the tensor, in this layout, in the layout's memory scope;
// core/ir/layout/image_shape.h maps it to an image for a texture scope.
Result<void> check_scope(const Tensor& tensor, const Layout& layout, const Target& target);

}  // namespace dovetail
