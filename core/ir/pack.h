// SPDX-License-Identifier: Apache-2.0
//
// pack and unpack: a tensor between its plain, row-major form and the storage that its layout
// describes.
//
//     X[h=3] as [h@1:5] offset h=-1        pack({1, 2, 3}) = {0, 1, 2, 3, 0}
//     X[h=6] as [h@2:3 =h.0] [h@1:4 =h.1]  pack({1, …, 6}) = {1, 2, 3, 4,  3, 4, 5, 6,  5, 6, 0, 0}
//
// What lies outside the tensor is zero. unpack(pack(x)) == x for every layout that stores all of x,
// unfold included; an element that the layout does not store unpacks as zero. Both agree with
// gather_map (core/ir/layout.h), element by element, but walk digit by digit with strided inner
// loops: they run on every candidate of a tuning run.
#pragma once

#include <span>

#include "core/ir/layout.h"

namespace dovetail {

// logical has logical_elements(layout), physical storage_elements(layout) elements (CHECKed).
void pack(const Layout& layout, std::span<const float> logical, std::span<float> physical);
void unpack(const Layout& layout, std::span<const float> physical, std::span<float> logical);

}  // namespace dovetail
