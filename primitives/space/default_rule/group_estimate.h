// SPDX-License-Identifier: Apache-2.0
#pragma once

// GroupEstimate: seconds of a product by a tile that groups share, by the formula of group_tile.h.
//
//   const GroupEstimate estimate(traits of gmm:m=4096,n=4096,k=4096 on an H200);
//   estimate.seconds(tile)            0.0028; infinity where the device cannot hold the tile
//   estimate.least_seconds(tile)      no more than that, of work and loads alone
//
// Why bounds: a search judges some thousand tiles, and counting the bytes of copies takes most of
// an estimate's time.

#include <limits>
#include <vector>

#include "primitives/space/default_rule/group_tile.h"
#include "primitives/space/layouts/placement.h"
#include "primitives/space/machine_facts.h"

namespace dovetail {

class GroupEstimate {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  explicit GroupEstimate(const ProductTraits& traits);

  double seconds(const GroupTile& tile) const;
  // No more: of work or of loads alone, and where copies took neither time nor room.
  double least_seconds(const GroupTile& tile) const;
  double seconds_without_copies(const GroupTile& tile) const { return seconds(tile, {}); }
  // True if X may have rows of outputs. They are read as vectors, so that whole ones must fit.
  bool may_put_reduction_first(const GroupTile& tile) const;

 private:
  struct Copied {
    int64_t local_bytes = 0, round_bytes = 0;  // a group has; a round fills
  };

  double seconds(const GroupTile& tile, const Copied& copied) const;
  double groups_of(const GroupTile& tile) const;
  double registers_of(const GroupTile& tile, double staged) const;
  // Elements of the reduction that a work-item adds up, and its taps.
  double steps_of(const GroupTile& tile) const;
  double rounds_of(const GroupTile& tile) const;
  // Wide loads of a work-item in a step: of W a vector each; of X four steps of a row at once, or
  // without a pure reduction a vector each, which neighbouring taps share.
  double loads_of(const GroupTile& tile) const;
  double rank() const;
  // Loads of a work-item into the copies of a round: vectors, where a block of channels has some.
  double fills_of(const GroupTile& tile, int64_t round_bytes) const;
  // The copies of one round, without padding.
  int64_t bytes_of_a_round(Choices choices) const;
  bool fills_vectors(const GroupTile& tile) const;
  double warps_of(const GroupTile& tile) const;  // in a group
  double work_of(const GroupTile& tile) const;
  // A unit's, for a warp.
  double busy_cycles(const GroupTile& tile, double filling) const;
  double cycles(const GroupTile& tile, double groups, double fills) const;
  // Multiply-adds hide most of the time that other groups' copies take.
  double beside_copies(const GroupTile& tile, double computing, double read) const;
  // Bytes that a group reads from the cache that all units share: copies once a round, other
  // operands by all work-items along their axes at once.
  double bytes_read(const GroupTile& tile, int64_t round_bytes) const;
  bool copies_weights() const;
  // The second kernel reads what all parts wrote.
  double microseconds_of_sum(const GroupTile& tile) const;

  const ContractionFacts& s_;
  const Target& target_;
  const std::vector<std::string>& rows_;
  const DeviceUnit unit_;
  const LocalCopies copies_;
  const bool has_rows_of_outputs_;
  const double operand_microseconds_;  // inputs and output, once
  std::vector<int64_t> row_extents_;
  int64_t vector_extent_ = 1, reduction_extent_ = 1;
  bool x_has_vectors_ = false;
  int64_t taps_ = 1, others_ = 1;  // taps of all windows; iterations of axes without tiles
};

}  // namespace dovetail
