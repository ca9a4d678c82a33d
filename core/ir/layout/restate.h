// SPDX-License-Identifier: Apache-2.0
//
// One storage, described for another shape of the same elements:
//
//     T[m=128, k=768] as 1@64:12 0@1:128 1@1:64          heads outermost
//     restated for [128, 12, 64]                         1@1:12 0@1:128 2@1:64
//     restated for [1536, 64]                            0@1:12 0@12:128 1@1:64
//     the first, permuted by {1, 0} for [k, m]           0@64:12 1@1:128 0@1:64
//
// So a Reshape or a Transpose between two regions moves nothing: what the one stored is what the
// other one is given, in its own terms. Only storage that holds each element once and nothing else
// can be restated; what is padded or unfolded belongs to the shape that it was made for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/ir/layout/normal_form.h"

namespace dovetail {

// d0, d1, …: dimensions of a shape whose names mean nothing.
std::vector<LogicalDim> numbered_dims(std::span<const int64_t> shape);

// Every element of a tensor of this shape stands in it once, and nothing else does.
bool is_one_to_one(const NormalLayout& form, std::span<const int64_t> shape);

// The same order of elements without what is beside them, if no digit has to count another way:
//     T[o=64, w=14] as 0@16:4 1@1:16 0@1:16            rows of 14 padded to 16
//     without padding                                  0@16:4 1@1:14 0@1:16
std::optional<NormalLayout> without_padding(const NormalLayout& form,
                                            const std::vector<LogicalDim>& dims);

// Both shapes have as many elements, in row-major order (CHECKed). Nothing where a digit would have
// to count parts of two dimensions, or the form is not one-to-one.
std::optional<NormalLayout> restated(const NormalLayout& form, std::span<const int64_t> shape,
                                     std::span<const int64_t> other);

// The form of the transposed tensor: its dimension i is the dimension order[i] of this one.
NormalLayout permuted(const NormalLayout& form, std::span<const int64_t> shape,
                      std::span<const size_t> order);

// `inner` stores a tensor of `inner_shape` whose elements, in row-major order, are those of the
// storage that `outer` describes; so it stores the tensor of `shape` in this form:
//
//     outer 1@16:4 0@1:8 1@1:16 of [8, 64]     inner plain of [4, 128]      outer
//                                              inner 1@1:128 0@1:4          0@1:8 1@1:16 1@16:4
std::optional<NormalLayout> composed(const NormalLayout& outer, std::span<const int64_t> shape,
                                     const NormalLayout& inner,
                                     std::span<const int64_t> inner_shape);

}  // namespace dovetail
