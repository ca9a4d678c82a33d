// SPDX-License-Identifier: Apache-2.0
//
// primitives_of: the layout primitives that take a tensor from row-major storage to a form.
//
//     X[n=1, i=64, h=56] as 1@16:4 2@1:56 1@1:16   ->   split(axis=i, factor=16)
//                                                       reorder(n, i.0, h, i.1)
//     X[n=1, i=64, h=56] as plain                  ->   nothing
//
// So what one region makes can be written into the trace of the one that reads it. The way back is
// normal_form(): for each form that comes out of here, normal_form(apply_all(primitives_of(f))) is
// f.
#pragma once

#include <optional>
#include <vector>

#include "core/ir/layout/normal_form.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

// It gives nothing where the form stores padding, or an element twice.
std::optional<std::vector<LayoutPrimitive>> primitives_of(const NormalLayout& form,
                                                          const std::vector<LogicalDim>& dims);

}  // namespace dovetail
