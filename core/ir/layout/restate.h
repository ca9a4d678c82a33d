// SPDX-License-Identifier: Apache-2.0
//
// Describes a storage for another shape of the same elements:
//
//     T[m=128, k=768] as 1@64:12 0@1:128 1@1:64          heads outermost
//     restated for [128, 12, 64]                         1@1:12 0@1:128 2@1:64
//     restated for [1536, 64]                            0@1:12 0@12:128 1@1:64
//     the first, permuted by {1, 0} for [k, m]           0@64:12 1@1:128 0@1:64
//
// So a Reshape or a Transpose between two regions moves no data: the consumer reads the producer's
// storage, described for its own shape. Only storage that holds each element once and nothing else
// can be restated; padding and unfolding are specific to the shape that they were made for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/ir/layout/normal_form.h"

namespace dovetail {

// Dimensions d0, d1, … for a shape without names.
std::vector<LogicalDim> numbered_dims(std::span<const int64_t> shape);

// True if the storage holds each element of a tensor of this shape exactly once and nothing else.
bool is_one_to_one(const NormalLayout& form, std::span<const int64_t> shape);

// The same order of elements without padding; nullopt if that would change a digit's step:
//     T[o=64, w=14] as 0@16:4 1@1:16 0@1:16            rows of 14 padded to 16
//     without padding                                  0@16:4 1@1:14 0@1:16
std::optional<NormalLayout> without_padding(const NormalLayout& form,
                                            const std::vector<LogicalDim>& dims);

// Both shapes must have the same number of elements (CHECKed), which correspond in row-major order.
// nullopt where a digit would count parts of two dimensions, or the form is not one-to-one.
std::optional<NormalLayout> restated(const NormalLayout& form, std::span<const int64_t> shape,
                                     std::span<const int64_t> other);

// The form of the transposed tensor, whose dimension i is the dimension order[i] of this one.
NormalLayout permuted(const NormalLayout& form, std::span<const int64_t> shape,
                      std::span<const size_t> order);

// The form in which a tensor of `shape` is stored if `outer` describes its storage, and `inner` in
// turn stores that storage's elements as a tensor of `inner_shape` (nullopt as for restated):
//
//     outer 1@16:4 0@1:8 1@1:16 of [8, 64]     inner plain of [4, 128]      outer
//                                              inner 1@1:128 0@1:4          0@1:8 1@1:16 1@16:4
std::optional<NormalLayout> composed(const NormalLayout& outer, std::span<const int64_t> shape,
                                     const NormalLayout& inner,
                                     std::span<const int64_t> inner_shape);

}  // namespace dovetail
