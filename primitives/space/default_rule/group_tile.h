// SPDX-License-Identifier: Apache-2.0
#pragma once

// GroupTile: how the default trace of a device shares a product among work-groups, chosen by a
// formula from the shape and the target alone.
//
//   best_group_tile(traits of c2d:ci=64,co=64,h=56,w=56,k=3,p=1 on an H200)
//     4 columns of the image by a vector of channels for a work-item; 4 x 8 work-items in a group;
//     16 channels unrolled
//
// All tiles of some sizes are tried, some thousand, and the one with the least estimate is taken. A
// unit's cycles are those of its multiply-adds or of its wide loads, whichever are more, or of one
// work-item alone where too few are resident to hide its latency:
//
//   work    = multiply-adds, but 1.3 times where X has rows of the reduction (below)
//   filling = (10 + 12 * windows) * loads into copies, since a load finds its place by divisions
//   cycles  = max(warps * both((work + filling) / 4, 4 * loads),
//                 work + 90 * steps + filling + 170 * waits + 460 * rounds)
//             + 150 * rounds
//   seconds = both(max(waves * cycles / clock, read / 5.5 TB/s), operands / 3 TB/s) + launch
//   waves   = groups / (units * resident), the last with fewer; core/ir/resident_groups.h
//   both(a, b) = (a^2.5 + b^2.5)^0.4, of what works at once and is waited for where both are full
//
// where a work-item waits for weights once in each unrolled part, `read` is what all groups read of
// the cache that units share, and `operands` are read or written once. A launch takes 2.6 us, and
// 1.3 in a graph. With two copies of each tile a round costs 300 instead of 460, but registers and
// twice the local memory; with four, which are filled asynchronously, 100 and no registers. With
// `reduction_first` (below) and several copies it is 100 and 30 instead of 460 and 150. Where
// no window is, the shorter of computing and reading adds 0.35 of its time, with two copies 0.15,
// with four nothing. A fill by single elements waits five times as long. A reduction in parts adds
// the kernel that sums them up, and the bytes of the parts; one that the work-items of a group
// share adds 300 cycles, and 8 for each element of a work-item's tile.
//
// A wide load of X brings four steps of a row, or four rows of a step (`reduction_first`).
// Registers are in two banks, even and odd, and neighbours of a vector of W alternate. Four steps
// of a row do so, too: then all rows of a step are in one bank, where half of W and of the sums
// wait for them. 1024 cubed, 16 times, takes an H200 850 us by rows of steps, and 674 by steps of
// rows.
//
// The constants were fitted to the default traces of 72 operators on an H200, and to 33 traces of
// products by hand. A target's own facts replace those that it states.
//
// Why by estimates and not by rules of thumb: whether a group has enough work-items, whether the
// groups fill the device, and whether operands fit local memory depend on each other. A tile for
// registers first, as on CPUs, left one work-item a group and was 28 to 500 times behind a search.

#include <cstdint>
#include <vector>

#include "primitives/space/default_rule/product_traits.h"

namespace dovetail {

struct GroupTile {
  int64_t vectors = 1;           // a work-item has
  std::vector<int64_t> rows;     // a work-item has, per row axis of the traits
  int64_t items_of_vectors = 1;  // work-items along the vector axis
  std::vector<int64_t> items_of_rows;
  int64_t block = 1, unroll = 1;   // elements of the reduction in a round, and unrolled
  int64_t parts = 1;               // the reduction is cut in, for groups
  int64_t items_of_reduction = 1;  // or for the work-items of a group
  int64_t rounds_ahead = 0;        // whose copies a round loads (rounds_ahead.h)
  bool reduction_first = false;    // X has rows of outputs for each element of the reduction

  int64_t items() const;         // in a group
  int64_t accumulators() const;  // vectors
};

// Seconds that the tile takes by the formula; infinity where the device cannot hold it.
double estimated_seconds(const ProductTraits& traits, const GroupTile& tile);

GroupTile best_group_tile(const ProductTraits& traits);

}  // namespace dovetail
