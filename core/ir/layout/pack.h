// SPDX-License-Identifier: Apache-2.0
//
// pack and unpack: convert a tensor between its plain, row-major form and the storage that its
// layout describes.
//
//     X[h=3] as [h@1:5] offset h=-1        pack({1, 2, 3}) = {0, 1, 2, 3, 0}
//     X[h=6] as [h@2:3 =h.0] [h@1:4 =h.1]  pack({1, …, 6}) = {1, 2, 3, 4,  3, 4, 5, 6,  5, 6, 0, 0}
//
// Storage outside the tensor is zero. unpack(pack(x)) == x for every layout that stores all of x,
// unfold included; an element that the layout does not store unpacks as zero. pack multiplies by
// `times`, unpack divides by it. Both iterate digit by digit with strided inner loops, because they
// run for every candidate of a tuning run.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/ir/layout/layout.h"
#include "core/ir/value/ndarray.h"

namespace dovetail {

// `logical` has logical_elements(layout), `physical` storage_elements(layout) elements (CHECKed).
void pack(const Layout& layout, std::span<const float> logical, std::span<float> physical);
void unpack(const Layout& layout, std::span<const float> physical, std::span<float> logical);

// The same for elements of any type, as bytes; layout.times must be 1 (CHECKed).
void pack_bytes(const Layout& layout, int64_t element_bytes, std::span<const std::byte> logical,
                std::span<std::byte> physical);
void unpack_bytes(const Layout& layout, int64_t element_bytes, std::span<const std::byte> physical,
                  std::span<std::byte> logical);

// The input of pack for a layout with guests (store_at): the host's plain elements joined with
// those of its guests, one array each in the order of layout.guests; zeros elsewhere.
//   W[k=2, n=2] {1, 2, 3, 4}, bias[n=2] {8, 9} at k=2   ->   {1, 2, 3, 4, 8, 9}
NDArray join_guests(const Layout& layout, const NDArray& host, std::span<const NDArray> guests);
// Dimensions of the host without its guests.
std::vector<LogicalDim> host_dims(const Layout& layout);

}  // namespace dovetail
