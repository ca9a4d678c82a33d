// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/default_rule/group_tile.h"

#include <algorithm>
#include <numeric>

#include "core/ir/index/range_arithmetic.h"
#include "core/ir/intrinsic/intrinsic.h"
#include "primitives/divisors.h"
#include "primitives/space/contraction/execution.h"
#include "primitives/space/contraction/group_sum.h"
#include "primitives/space/default_rule/group_choices.h"
#include "primitives/space/default_rule/group_estimate.h"
#include "primitives/space/machine_facts.h"

namespace dovetail {
namespace {

constexpr int64_t kMostRows = 8;
constexpr int64_t kMostRowItems = 16, kMostVectorItems = 64;
constexpr int64_t kLeastVectorItems = 4;                     // they read 64 bytes side by side
constexpr int64_t kMostItems = 256, kMostSharedItems = 512;  // without and with group sums
constexpr int64_t kMostBlock = 64;
constexpr int64_t kRoundsAhead = 3;  // by asynchronous copies

int64_t product_of(const std::vector<int64_t>& values) {
  return std::accumulate(values.begin(), values.end(), int64_t{1}, std::multiplies<>());
}

// Tries tiles of one product.
class GroupTileSearch {
 public:
  explicit GroupTileSearch(const ProductTraits& traits)
      : estimate_(traits),
        s_(traits.s),
        plan_(traits.plan),
        target_(traits.target),
        rows_(traits.rows),
        channels_(traits.channels_of_neighbours()),
        has_group_sums_(may_sum_in_groups(plan_, target_)),
        loads_asynchronously_(copies_asynchronously(target_)) {}

  GroupTile best() {
    GroupTile tile;
    tile.rows.assign(rows_.size(), 1);
    tile.items_of_rows.assign(rows_.size(), 1);
    best_ = tile;  // where a device has room for no other
    visit_vectors(tile);
    return best_;
  }

 private:
  void visit_vectors(GroupTile& tile) {
    const int64_t most = s_.vector_axis.empty() ? 1 : 2;
    const int64_t least_items = std::min(kLeastVectorItems, target_.max_work_group_size);
    for (int64_t vectors = 1; vectors <= most; ++vectors) {
      tile.vectors = vectors;
      if (vectors > 1 && !is_offered(s_.vector_axis, vectors * s_.lanes)) continue;
      const int64_t tiles = s_.vector_axis.empty()
                                ? 1
                                : ceil_quotient(s_.axis(s_.vector_axis).extent, vectors * s_.lanes);
      for (const int64_t items : divisors(tiles)) {
        if (items > kMostVectorItems) break;
        if (channels_ > 0 && items * vectors * s_.lanes != channels_) continue;
        if (channels_ == 0 && least_items > 1 && items < least_divisor(tiles, least_items))
          continue;
        tile.items_of_vectors = items;
        visit_row(0, tile);
      }
    }
  }

  // Rows of a tile along the two innermost row axes; without a reduction the windows overlap.
  void visit_row(size_t at, GroupTile& tile) {
    if (at == std::min<size_t>(rows_.size(), 2)) return visit_reduction(tile);
    const int64_t most_rows = most_rows_along(at);
    for (int64_t rows = 1; rows <= most_rows; ++rows) {
      if (rows > 1 && !is_offered(rows_[at], rows)) continue;
      tile.rows[at] = rows;
      if (tile.accumulators() > max_accumulators(target_)) break;
      const int64_t tiles = ceil_quotient(s_.axis(rows_[at]).extent, rows);
      for (const int64_t items : divisors(tiles)) {
        if (channels_ > 0 && at == 0 && items != largest_divisor(tiles, kMostRowItems)) continue;
        tile.items_of_rows[at] = items;
        if (items > kMostRowItems || tile.items() > kMostItems) break;
        visit_row(at + 1, tile);
      }
      tile.items_of_rows[at] = 1;
    }
    tile.rows[at] = 1;
  }

  // Where few channels lie together, pixels lie beside them: work-items have neighbouring ones.
  int64_t most_rows_along(size_t at) const {
    if (channels_ > 0) return at == 0 ? 1 : kMostRows;
    return at == 0 ? kMostRows : s_.pure.empty() ? 2 : 1;
  }

  void visit_reduction(GroupTile& tile) {
    if (tile.items() > std::min(kMostItems, target_.max_work_group_size)) return;
    tile.block = tile.unroll = tile.parts = 1;
    if (s_.pure.empty()) return judge(tile);
    const int64_t extent = s_.axis(s_.pure).extent;
    const int64_t most_parts = plan_.shares_reduction ? kMostReductionParts : 1;
    for (const int64_t block : divisors(extent)) {
      if (block > kMostBlock) break;
      tile.block = block;
      tile.unroll = unrolled_part(tile);
      for (const int64_t parts : divisors(extent / block)) {
        if (parts > most_parts) break;
        tile.parts = parts;
        judge(tile);
      }
      tile.parts = 1;
      visit_group_sums(extent / block, tile);
    }
  }

  void visit_group_sums(int64_t blocks, GroupTile& tile) {
    const bool shares_lanes = tile.vectors == 1 && !s_.vector_axis.empty();  // see group_sum.cc
    const int64_t elements = tile.accumulators() * (shares_lanes ? s_.lanes : 1);
    for (const int64_t items : divisors(std::gcd(blocks, elements))) {
      if (items == 1) continue;
      tile.items_of_reduction = items;
      if (!has_group_sums_ || tile.items() > kMostSharedItems) break;
      judge(tile);
    }
    tile.items_of_reduction = 1;
  }

  int64_t unrolled_part(const GroupTile& tile) const {
    for (const int64_t part : {16, 8, 4, 3, 2})
      if (tile.block % part == 0 && tile.accumulators() * part <= kMostUnrolled) return part;
    return 1;
  }

  // Where estimates are as good as equal, a tile with one copy of operands is taken, and one whose
  // rows no axis cuts short: 128 x 32 x 128, 16 times, took 3.8 us by 4 rows and 5.5 by 5.
  void judge(GroupTile& tile) {
    constexpr double kOfCopies = 1.02, kOfTails = 1.05;
    const double tie = !s_.pure.empty() && has_tails(tile) ? kOfTails : 1;
    for (const bool first : {false, true}) {
      if (first && !estimate_.may_put_reduction_first(tile)) break;
      tile.reduction_first = first;
      if (estimate_.least_seconds(tile) >= best_seconds_) continue;
      for (const int64_t ahead : {int64_t{0}, int64_t{1}, kRoundsAhead}) {
        if (ahead > 1 && !(first && loads_asynchronously_)) break;
        tile.rounds_ahead = ahead;
        const double factor = (ahead > 0 ? kOfCopies : 1) * tie;
        // Without copies, whose bytes take long to count, it is no slower.
        if (estimate_.seconds_without_copies(tile) * factor >= best_seconds_) continue;
        const double found = estimate_.seconds(tile) * factor;
        if (found < best_seconds_) best_seconds_ = found, best_ = tile;
      }
    }
    tile.rounds_ahead = 0;
    tile.reduction_first = false;
  }

  bool has_tails(const GroupTile& tile) const {
    for (size_t r = 0; r < rows_.size(); ++r)
      if (s_.axis(rows_[r]).extent % (tile.rows[r] * tile.items_of_rows[r]) != 0) return true;
    return false;
  }

  bool is_offered(const std::string& axis, int64_t elements) const {
    const std::vector<int64_t> sizes = register_sizes(plan_, axis);
    return std::ranges::find(sizes, elements) != sizes.end();
  }

  const GroupEstimate estimate_;
  const ContractionFacts& s_;
  const ContractionPlan& plan_;
  const Target& target_;
  const std::vector<std::string>& rows_;
  const int64_t channels_;  // stored together, as neighbours store them; 0: any
  const bool has_group_sums_, loads_asynchronously_;
  GroupTile best_;
  double best_seconds_ = GroupEstimate::kNever;
};

}  // namespace

int64_t GroupTile::items() const {
  return items_of_reduction * items_of_vectors * product_of(items_of_rows);
}
int64_t GroupTile::accumulators() const { return vectors * product_of(rows); }

double estimated_seconds(const ProductTraits& traits, const GroupTile& tile) {
  return GroupEstimate(traits).seconds(tile);
}

GroupTile best_group_tile(const ProductTraits& traits) { return GroupTileSearch(traits).best(); }

}  // namespace dovetail
