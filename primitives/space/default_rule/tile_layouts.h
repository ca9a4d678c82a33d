// SPDX-License-Identifier: Apache-2.0
//
// The layouts, rounds and orders of threads that follow from a register tile.
//
// Producers and consumers store channels in blocks of a cache line, so that networks need
// no conversions. Tensors of long products keep their order, and sums run in rounds whose weights
// stay in a cache.
#pragma once

#include "primitives/space/choices.h"
#include "primitives/space/default_rule/register_tile.h"

namespace dovetail {

// Adds to choices that have the register tile, and the unrolled part of the reduction.
void lay_out_for_threads(const ProductTraits& traits, const RegisterTile& tile, Choices& choices);

// Stores neighbouring elements of the reduction together, as many as its unrolled and inner parts
// have: at most a block of channels.
void block_reduction(const ProductTraits& traits, Choices& choices);
// Where X would fill the caches: channels last and untiled, one stream from memory and one to it.
void keep_channels_last(const ProductTraits& traits, Choices& choices);

// Tiles of the axes of channels: of `block` elements in the output, and in X where it has the axis;
// in the weights the register and cache tile together.
void tile_channels(const ProductTraits& traits, int64_t block, Choices& choices);

}  // namespace dovetail
