// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/default_rule/group_tile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/ir/index/range_arithmetic.h"
#include "core/ir/resident_groups.h"
#include "primitives/divisors.h"
#include "primitives/space/contraction/execution.h"
#include "primitives/space/contraction/group_sum.h"
#include "primitives/space/default_rule/group_choices.h"
#include "primitives/space/layouts/placement.h"
#include "primitives/space/machine_facts.h"

namespace dovetail {
namespace {

constexpr int64_t kMostRows = 8;
constexpr int64_t kMostRowItems = 16, kMostVectorItems = 64;
constexpr int64_t kLeastVectorItems = 4;                     // they read 64 bytes side by side
constexpr int64_t kMostItems = 256, kMostSharedItems = 512;  // without and with group sums
constexpr int64_t kMostBlock = 64;

int64_t product_of(const std::vector<int64_t>& values) {
  return std::accumulate(values.begin(), values.end(), int64_t{1}, std::multiplies<>());
}

// Judges tiles of one product by figures that are the same for all of them.
class GroupTileSearch {
 public:
  explicit GroupTileSearch(const ProductTraits& traits)
      : s_(traits.s),
        plan_(traits.plan),
        target_(traits.target),
        rows_(traits.rows),
        unit_(device_unit(traits.target)),
        copies_(traits.s),
        has_group_sums_(may_sum_in_groups(plan_, target_)) {
    for (const std::string& window : s_.windows) taps_ *= s_.axis(window).extent;
    for (const ContractionAxis& a : s_.axes) {
      if (!s_.is_output(a.name)) continue;
      others_ *= a.phases;
      const bool is_row = std::ranges::find(rows_, a.name) != rows_.end();
      if (!is_row && a.name != s_.vector_axis) others_ *= a.extent;
    }
  }

  GroupTile best() {
    GroupTile tile;
    tile.rows.assign(rows_.size(), 1);
    tile.items_of_rows.assign(rows_.size(), 1);
    best_ = tile;  // where a device has room for no other
    visit_vectors(tile);
    return best_;
  }

  double seconds(const GroupTile& tile) const {
    const double items = static_cast<double>(tile.items());
    Choices choices = tile_choices(s_, rows_, tile);
    copy_operands(s_, target_, copies_, choices);
    if (tile.doubled && !copies_.may_load_ahead(choices, 1)) return kNever;
    const double local = static_cast<double>(copies_.bytes(choices));
    if (local > static_cast<double>(target_.local_memory_bytes)) return kNever;
    const double fills = s_.pure.empty() ? 0 : fills_of(tile, choices);
    const double staged = tile.doubled ? fills * static_cast<double>(s_.lanes) : 0;
    const double registers = registers_of(tile, staged);
    if (registers > unit_.room.registers_of_item) return kNever;
    const double resident =
        resident_groups({.work_items = items, .registers = registers, .local_bytes = local},
                        unit_.room)
            .groups;
    if (resident < 1) return kNever;
    const double groups = groups_of(tile);
    const double on_a_unit = std::ceil(groups / unit_.units);
    const double waves = std::floor(on_a_unit / resident), rest = on_a_unit - waves * resident;
    const double all = (waves > 0 ? waves * cycles(tile, resident, fills) : 0) +
                       (rest > 0 ? cycles(tile, rest, fills) : 0);
    const double read = groups * bytes_read(tile, choices) / unit_.shared_bytes_per_microsecond;
    const double computing = std::max(all / unit_.cycles_per_microsecond, read);
    return 1e-6 *
           (both(computing, static_cast<double>(operand_bytes(s_)) / unit_.bytes_per_microsecond) +
            kStart + unit_.launch_microseconds + microseconds_of_sum(tile));
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr double kStart = 0.2;  // microseconds, beside its launch
  static constexpr double kElementBytes = 4;
  // Cycles that a work-item waits: for a round's copies, or with two of each; for all others; in a
  // step, or in a tap where no channels are added up; for weights that no copy holds.
  static constexpr double kRoundLatency = 460, kDoubledLatency = 300, kBarrier = 150;
  static constexpr double kStepLatency = 90, kTapLatency = 6, kLoadLatency = 170;
  static constexpr double kOverlap = 2.5;
  static constexpr double kWideLoad = 4;  // cycles of a unit, for 32 work-items
  // Instructions of a load into a copy, and how often their cycles one of a single element waits.
  static constexpr double kFill = 10, kFillPerWindow = 12, kElementWaits = 5;
  static constexpr double kGroupSum = 300, kCyclesOfSum = 8;  // cycles; an element's of a tile

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
        if (least_items > 1 && items < least_divisor(tiles, least_items)) continue;
        tile.items_of_vectors = items;
        visit_row(0, tile);
      }
    }
  }

  // Rows of a tile along the two innermost row axes; without a reduction the windows overlap.
  void visit_row(size_t at, GroupTile& tile) {
    if (at == std::min<size_t>(rows_.size(), 2)) return visit_reduction(tile);
    const int64_t most_rows = at == 0 ? kMostRows : s_.pure.empty() ? 2 : 1;
    for (int64_t rows = 1; rows <= most_rows; ++rows) {
      if (rows > 1 && !is_offered(rows_[at], rows)) continue;
      tile.rows[at] = rows;
      if (tile.accumulators() > max_accumulators(target_)) break;
      for (const int64_t items : divisors(ceil_quotient(s_.axis(rows_[at]).extent, rows))) {
        tile.items_of_rows[at] = items;
        if (items > kMostRowItems || tile.items() > kMostItems) break;
        visit_row(at + 1, tile);
      }
      tile.items_of_rows[at] = 1;
    }
    tile.rows[at] = 1;
  }

  void visit_reduction(GroupTile& tile) {
    if (tile.items() > std::min(kMostItems, target_.max_work_group_size)) return;
    tile.block = tile.unroll = tile.parts = 1;
    if (s_.pure.empty()) return judge(tile);
    const int64_t extent = s_.axis(s_.pure).extent;
    const int64_t most_parts =
        plan_.shares_reduction && plan_.sums_in_parts ? kMostReductionParts : 1;
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
    for (const bool doubled : {false, true}) {
      tile.doubled = doubled;
      const double found = seconds(tile) * (doubled ? kOfCopies : 1) * tie;
      if (found < best_seconds_) best_seconds_ = found, best_ = tile;
    }
    tile.doubled = false;
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

  double groups_of(const GroupTile& tile) const {
    int64_t groups = others_ * tile.parts;
    const auto count = [&](const std::string& axis, int64_t elements) {
      groups *= ceil_quotient(s_.axis(axis).extent, elements);
    };
    if (!s_.vector_axis.empty())
      count(s_.vector_axis, tile.vectors * s_.lanes * tile.items_of_vectors);
    for (size_t r = 0; r < rows_.size(); ++r) count(rows_[r], tile.rows[r] * tile.items_of_rows[r]);
    return static_cast<double>(groups);
  }

  double registers_of(const GroupTile& tile, double staged) const {
    const auto rows = static_cast<double>(product_of(tile.rows));
    const auto vectors = static_cast<double>(tile.vectors), lanes = static_cast<double>(s_.lanes);
    // Depthwise, a row has a value of X for each vector, and not one for all.
    const double read_rows = s_.pure.empty() ? rows * vectors : rows;
    return estimated_registers(
        {.kept = lanes * rows * vectors + staged, .rows = read_rows, .vectors = vectors}, lanes);
  }

  // Elements of the reduction that a work-item adds up, and its taps.
  double steps_of(const GroupTile& tile) const {
    const int64_t reduced =
        s_.pure.empty() ? 1 : s_.axis(s_.pure).extent / (tile.parts * tile.items_of_reduction);
    return static_cast<double>(reduced * taps_);
  }

  // Wide loads of a work-item in a step: of W a vector each; of X four steps of a row at once, or
  // without a pure reduction a vector each, which neighbouring taps share.
  double loads_of(const GroupTile& tile) const {
    const auto rows = static_cast<double>(product_of(tile.rows));
    const auto vectors = static_cast<double>(tile.vectors);
    if (!s_.pure.empty()) return rows / static_cast<double>(s_.lanes) + vectors;
    const double taps = static_cast<double>(taps_);
    double patch = 1, side = std::round(std::pow(taps, 1.0 / std::max<double>(1, rank())));
    for (const int64_t along : tile.rows) patch *= static_cast<double>(along) + side - 1;
    return vectors * (1 + patch / taps);
  }
  double rank() const { return static_cast<double>(s_.windows.size()); }

  // Loads of a work-item into the copies of a round: vectors, where a block of channels has some.
  double fills_of(const GroupTile& tile, const Choices& choices) const {
    const double bytes = kElementBytes * static_cast<double>(fills_vectors(tile) ? s_.lanes : 1);
    return std::ceil(static_cast<double>(bytes_of_a_round(choices) / tile.items()) / bytes);
  }

  // The copies of one round, without padding.
  int64_t bytes_of_a_round(Choices choices) const {
    choices.set({ParameterKind::row_pad, s_.inputs()[0].tensor}, 0);
    choices.set(ParameterKind::double_buffer, 0);
    return copies_.bytes(choices);
  }

  bool fills_vectors(const GroupTile& tile) const {
    return tile.block % s_.lanes == 0 && !access_has(s_.inputs()[0], s_.vector_axis);
  }

  // Cycles of two units that mostly work at once, and wait for each other where both are full.
  static double both(double a, double b) {
    return std::pow(std::pow(a, kOverlap) + std::pow(b, kOverlap), 1 / kOverlap);
  }

  double cycles(const GroupTile& tile, double groups, double fills) const {
    const double steps = steps_of(tile);
    const double work = steps * static_cast<double>(tile.accumulators() * s_.lanes);
    const double loads = steps * loads_of(tile);
    const double warps = groups * std::ceil(static_cast<double>(tile.items()) / unit_.lockstep);
    const double rounds =
        s_.pure.empty() ? 1 : std::ceil(steps / static_cast<double>(tile.block * taps_));
    const double filling = rounds * fills * (kFill + kFillPerWindow * rank());
    const double busy = warps * both((work + filling) / unit_.schedulers, kWideLoad * loads);
    const bool waits_for_weights = !s_.pure.empty() && !copies_weights();
    const double batches = steps / static_cast<double>(tile.unroll * unrolled_taps(s_, tile));
    const double alone = work + (s_.pure.empty() ? kTapLatency : kStepLatency) * steps +
                         (fills_vectors(tile) ? 1 : kElementWaits) * filling +
                         (tile.doubled ? kDoubledLatency : kRoundLatency) * rounds +
                         (waits_for_weights ? kLoadLatency * batches : 0);
    const auto summed = static_cast<double>(tile.items_of_reduction > 1 ? tile.accumulators() : 0);
    return std::max(busy, alone) + kBarrier * rounds * (groups > 1 ? 1 : 2) +
           (summed > 0 ? kGroupSum : 0) + kCyclesOfSum * summed * static_cast<double>(s_.lanes);
  }

  // Bytes that a group reads from the cache that all units share: copies once a round, other
  // operands by all work-items along their axes at once.
  double bytes_read(const GroupTile& tile, const Choices& choices) const {
    if (s_.pure.empty()) return 0;
    const double steps = steps_of(tile);
    const double rounds = steps / static_cast<double>(tile.block * taps_);
    const double group_steps = steps * static_cast<double>(tile.items_of_reduction);
    const double columns = static_cast<double>(tile.vectors * tile.items_of_vectors * s_.lanes);
    return rounds * static_cast<double>(bytes_of_a_round(choices)) +
           (copies_weights() ? 0 : group_steps * columns * kElementBytes);
  }
  bool copies_weights() const { return s_.windows.empty() && copies_.may_copy(1); }

  // The second kernel reads what all parts wrote.
  double microseconds_of_sum(const GroupTile& tile) const {
    if (tile.parts == 1) return 0;
    const auto outputs = static_cast<double>(bytes_of(s_, s_.output()));
    return unit_.launch_microseconds +
           outputs * static_cast<double>(2 * tile.parts + 1) / unit_.bytes_per_microsecond;
  }

  const ContractionFacts& s_;
  const ContractionPlan& plan_;
  const Target& target_;
  const std::vector<std::string>& rows_;
  const DeviceUnit unit_;
  const LocalCopies copies_;
  const bool has_group_sums_;
  int64_t taps_ = 1, others_ = 1;  // taps of all windows; iterations of axes without tiles
  GroupTile best_;
  double best_seconds_ = kNever;
};

}  // namespace

int64_t GroupTile::items() const {
  return items_of_reduction * items_of_vectors * product_of(items_of_rows);
}
int64_t GroupTile::accumulators() const { return vectors * product_of(rows); }

double estimated_seconds(const ProductTraits& traits, const GroupTile& tile) {
  return GroupTileSearch(traits).seconds(tile);
}

GroupTile best_group_tile(const ProductTraits& traits) { return GroupTileSearch(traits).best(); }

}  // namespace dovetail
