// SPDX-License-Identifier: Apache-2.0
//
// The layouts, rounds and orders that follow from a register tile, one file for each execution
// model: thread_layouts.cc and group_layouts.cc.
//
// Threads: producers and consumers store channels in blocks of a cache line, so that networks need
// no conversions. Tensors of long products keep their order, and sums run in rounds whose weights
// stay in a cache. Work-groups: blocks of one vector, a texel.
#pragma once

#include "primitives/space/choices.h"
#include "primitives/space/default_rule/register_tile.h"

namespace dovetail {

// Both add to choices that have the register tile, and the unrolled part of the reduction.
void lay_out_for_threads(const ProductTraits& traits, const RegisterTile& tile, Choices& choices);

// Stores neighbouring elements of the reduction together, as many as its unrolled and inner parts
// have: at most a block of channels.
void block_reduction(const ProductTraits& traits, Choices& choices);
// Where X would fill the caches: channels last and untiled, one stream from memory and one to it.
void keep_channels_last(const ProductTraits& traits, Choices& choices);

// Tiles of the axes of channels in the output, and in X where it has the axis; in the weights
// (0: the register and cache tile together).
struct ChannelTiles {
  int64_t output = 1, weights = 0;
};
void tile_channels(const ProductTraits& traits, const ChannelTiles& tiles, Choices& choices);

}  // namespace dovetail
