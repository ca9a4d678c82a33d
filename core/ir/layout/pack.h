// SPDX-License-Identifier: Apache-2.0
//
// pack and unpack: a tensor between its plain, row-major form and the storage that its layout
// describes.
//
//     X[h=3] as [h@1:5] offset h=-1        pack({1, 2, 3}) = {0, 1, 2, 3, 0}
//     X[h=6] as [h@2:3 =h.0] [h@1:4 =h.1]  pack({1, …, 6}) = {1, 2, 3, 4,  3, 4, 5, 6,  5, 6, 0, 0}
//
// Storage outside the tensor is zero. unpack(pack(x)) == x for every layout that stores all of x,
// unfold included; an element that the layout does not store unpacks as zero. What a layout stores
// `times` a power of two is multiplied and divided on the way. Both walk digit by
// digit with strided inner loops: they run on every candidate of a tuning run.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/ir/layout/layout.h"
#include "core/ir/value/array.h"

namespace dovetail {

// logical has logical_elements(layout), physical storage_elements(layout) elements (CHECKed).
void pack(const Layout& layout, std::span<const float> logical, std::span<float> physical);
void unpack(const Layout& layout, std::span<const float> physical, std::span<float> logical);

// The same of elements of any type, by their bytes; nothing is stored `times` a factor (CHECKed).
void pack_bytes(const Layout& layout, int64_t element_bytes, std::span<const std::byte> logical,
                std::span<std::byte> physical);
void unpack_bytes(const Layout& layout, int64_t element_bytes, std::span<const std::byte> physical,
                  std::span<std::byte> logical);

// A host's plain elements with those of its guests (store_at), one view each in the order of
// layout.guests: what pack takes. Zeros where neither has an element.
//   W[k=2, n=2] {1, 2, 3, 4}, bias[n=2] {8, 9} at k=2   ->   {1, 2, 3, 4, 8, 9}
Array join_guests(const Layout& layout, const ArrayView& host, std::span<const ArrayView> guests);
// Dimensions of the host alone.
std::vector<LogicalDim> host_dims(const Layout& layout);

}  // namespace dovetail
