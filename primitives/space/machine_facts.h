// SPDX-License-Identifier: Apache-2.0
//
// Figures of machines: what default rules and domains know of processors beyond the facts of a
// Target, each with its unit and its source. Rules decide by them without measuring; a search
// corrects wrong decisions. Where no source is named, it is a choice that no measurement
// contradicts.
#pragma once

#include <cstdint>

#include "core/ir/resident_groups.h"
#include "core/ir/target.h"

namespace dovetail {

// Memory of one thread or work-item, in bytes.
inline constexpr int64_t kThreadBytes = 64 << 10;    // lowering's limit for a private tile
inline constexpr int64_t kItemBytes = 4 << 10;       // beyond, work-items spill
inline constexpr int64_t kWorkspaceBytes = 8 << 20;  // for one stage in a round

// Fewer outputs leave units idle, so that the reduction is worth sharing. A work-item of a device
// keeps up to 16 vectors, and each of a unit's four schedulers wants a warp at least.
inline constexpr int64_t kVectorsPerThread = 8;
inline constexpr int64_t kVectorsPerUnit = int64_t{16} * 4 * 32;

// Channels that producers and consumers store together: a cache line of f32.
inline constexpr int64_t kChannelBlock = 16;

// Iterations by which a loop asks for its operands ahead.
inline constexpr int64_t kAheadInRounds = 16;    // some 400 cycles of a round (Zen 3: 2.9 ms, 2.6)
inline constexpr int64_t kAheadOfProduct = 16;   // weights from memory
inline constexpr int64_t kAheadOfTransform = 4;  // for inner weights

// Multiply-adds of f32 per microsecond: a fast core.
inline constexpr double kMultiplyAddsPerMicrosecond = 100'000;

// Microseconds to move a MiB, measured on a Zen 5. Three constants suffice instead of a model: the
// forms that are compared differ severalfold.
inline constexpr double kThroughMemory = 50, kThroughL3 = 3.2;  // written and read back
inline constexpr double kFromL3 = 6;

// Tiles of Winograd in a band: enough to amortise the weights, few enough to stay in a cache.
inline constexpr double kTilesOfABand = 20;

// Vectors side by side that codegen interleaves where each waits for an exponential or the like
// (core/codegen/llvm/emit/side_by_side.cc).
inline constexpr int64_t kCostlyAtOnce = 2;

// Elements of a side of a tile that a device transposes in local memory.
inline constexpr int64_t kLeastTransposed = 8, kMostTransposed = 64;

// Parts of caches, in bytes, that operands of a tile or of a round may take; others use the rest.
// Fractions are hand rules, tried on the shapes that the default rule's comments name.
struct CacheShares {
  double fed_weights;      // half of L1: a tile's weights that do not come from L2 for each tile
  double weights_of_tile;  // 0.6 of L2: beyond, each row of tiles fetches them from L3
  int64_t few_weights;     // half of L2: weights that stay while X is read once
  int64_t sums_of_round;   // half of L2: tiles of Y, where windows are summed in rounds
  int64_t rows_of_round;   // three quarters of L2: rows of X, where a product is
  int64_t part;            // a quarter of L2: inner weights, beside the sums
};
CacheShares cache_shares(const Target& target);

// Elements with at most so many multiply-adds each are bound by stores, which then go past caches.
inline constexpr double kTermsPastCaches = 64;
// Terms of a sum beyond which the latency of dependent additions binds it: four rows hide it.
inline constexpr int64_t kTermsInFlight = 16;
// Terms of sums that a unit of a GPU adds up in the 4 us that a host needs for a launch: 128 lanes,
// 1.7 GHz.
inline constexpr int64_t kTermsOfALaunch = int64_t{128} * 1700 * 4;
// Whether caches evict an output before it is read: with its inputs it fills three quarters of L3.
bool evicts_output(int64_t all_bytes, const Target& target);

// Accumulators that the register tile of a product may have, in vectors.
int64_t max_accumulators(const Target& target);

// How a register tile keeps the units busy (default_rule/register_tile.h).
struct TileFigures {
  // Accumulators that hide the latency of multiply-adds, and those where all inputs have the vector
  // axis, which leaves registers to the window's weights. Two multiply-adds and two loads a cycle
  // with a latency of four: 12 hide it. Of 16 registers 10 are left (a Zen 3 ran 14x14 images at 65
  // % of its peak with 8, at 95 % with 10).
  double hiding_sums = 12, hiding_shared_sums = 7;
  // A cost of padded rows or columns: a copy crops them for the consumer, for as long as this many
  // multiply-adds per element take. With 32 registers tails are cut.
  double copy_terms = 0;
  // Three vectors by four rows use all of 16 registers. Where rows are few, as in images of 7 x 7,
  // no other tile hides the latency (c2d:ci=512,co=512,h=7,w=7,k=3 on a Zen 3: 3.2 ms against 4.1
  // with two by four); but its blocks of 8 channels are not its neighbours', which convert them.
  bool fits_three_vectors = false;
  double share_of_three = 0.8;
};
TileFigures tile_figures(const Target& target);

// Tiles of few rows wait for weights that come from L2 once per tile, at some 20 bytes a cycle
// (128 x 3072 by 3072 x 768 on a Zen 5: 1.95 ms with 8 rows, 2.15 with 6, 2.30 with 5, 2.65 with
// 4): the share of the speed is 1 - kWaits * (1 / rows - 1 / kFedRows).
inline constexpr double kWaits = 2.2, kFedRows = 7.3;

// A unit of a device: what its resident groups share, and how fast it is. The target's facts where
// it states them, else those of an H100, as are speeds (measured on an H100 and an H200).
struct DeviceUnit {
  double units = 1;
  UnitRoom room = {.registers = 65536,
                   .work_items = 2048,
                   .local_bytes = 200 << 10,
                   .registers_of_item = 240};  // without spills
  double lockstep = 32;                        // work-items that issue together
  double schedulers = 4;                       // sets that issue in a cycle
  double cycles_per_microsecond = 1980;
  double launch_microseconds = 2.4;  // a further kernel takes at least; less where it starts early
  double bytes_per_microsecond = 3e6;           // written by one kernel and read by the next
  double shared_bytes_per_microsecond = 5.5e6;  // from the cache that all units share
};
DeviceUnit device_unit(const Target& target);

// Whether two vectors of half the width take no longer than a whole one: processors that split
// 512-bit operations or join two pipes for them, by LLVM's names.
bool halves_cost_nothing(const Target& target);

// Whether bytes that are written and read again go through memory. A shared L3 counts as half its
// size.
bool leaves_caches(int64_t bytes, const Target& target);

// Bytes of weights that one thread may keep for a round: L2, or an eighth of the L3 that is shared.
int64_t most_kept_bytes(const Target& target);

double round_trip_microseconds(int64_t bytes, const Target& target);
// Assumes that weights come from L3 each time.
double reread_microseconds(int64_t weight_bytes, int64_t times);

}  // namespace dovetail
