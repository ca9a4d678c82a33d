// SPDX-License-Identifier: Apache-2.0
//
// primitives_of: the layout primitives that take a tensor from row-major storage to a form.
//
//     X[n=1, i=64, h=56] as 1@16:4 2@1:56 1@1:16   ->   split(axis=i, factor=16)
//                                                       reorder(n, i.0, h, i.1)
//     X[n=1, i=64, h=56] as row_major                  ->   nothing
//
// With them the layout of one region's output can be written into the trace of its consumer. The
// inverse is normal_form(): normal_form(apply_all(primitives_of(f))) is f for every form f that has
// primitives.
#pragma once

#include <optional>
#include <vector>

#include "core/ir/layout/normal_form.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

// nullopt where the form stores padding, or an element twice.
std::optional<std::vector<LayoutPrimitive>> primitives_of(const NormalLayout& form,
                                                          const std::vector<LogicalDim>& dims);

}  // namespace dovetail
