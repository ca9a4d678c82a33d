// SPDX-License-Identifier: Apache-2.0
//
// Bands: a product whose input is made for it and whose output is read by one later stage, in
// rounds of that stage. Winograd's three stages are such a chain; apart, the transformed input and
// output of a whole layer go through memory, in bands they stay in the second-level cache.
//
//   made_at.Y.wino=apart           kernel X.wino     for all tiles
//                                  kernel Y.wino     for all tiles
//                                  kernel c2d        for all tiles
//   made_at.Y.wino=workspace       kernel c2d
//   cache_tile.th=2                  for n in 0..16
//                                      for h.0.0 in 0..7         bands of two rows of tiles
//                                        X.wino of 2 x 14 tiles  in workspace
//                                        Y.wino of 2 x 14 tiles  in workspace
//                                        Y      of 2 x 14 tiles
//
// A band is a cache tile of the product: what its outer loops over rows would count, the later
// stage's loops count. So a band has no size of its own to choose, and whatever is chosen inside a
// cache tile means the same in both forms. Rows of a band are not padded, nor stored in tiles.
//
// plane_storage says where both tensors keep the planes, one for each coordinate of a transformed
// tile: outermost, so that the product reads in one stretch, or innermost around the channels, so
// that a transform writes in one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "primitives/space/parameter_list.h"
#include "primitives/space/structure.h"

namespace dovetail {

// Whether the product runs inside bands.
bool is_banded(const Structure& structure, const Choices& choices);
// Elements of the row axis in a band: all of them where the loops of the product have no outer one.
int64_t band_extent(const Structure& structure, const Choices& choices, const std::string& axis);
// The product as it is in one band.
Structure in_a_band(const Structure& structure, const Choices& choices);
// What a band keeps in workspace, the product's input and output without padding.
int64_t band_bytes(const Structure& structure, const Choices& choices);
int64_t count_bands(const Structure& structure, const Choices& choices);

// made_at of the product's output and plane_storage, after the cache tiles; nothing where the
// structure has no bands.
void add_bands(const std::shared_ptr<const Structure>& structure, const Target& target,
               ParameterList& list);
// What a band cannot have keeps its first value, which is off, where the product runs in bands.
void keep_bands_plain(const Structure& structure, std::vector<Parameter>& parameters);

// By the bytes that each form moves, without measuring: bands where what stays in the caches saves
// more than reading the weights once a band costs. A band has about 20 tiles then, enough to read
// the weights for, and few enough to stay. After the default rule's other choices.
void choose_bands(const Structure& structure, const Target& target, Choices& choices);

}  // namespace dovetail
