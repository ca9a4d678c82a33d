// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/default_rule/group_estimate.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/ir/index/range_arithmetic.h"
#include "core/ir/resident_groups.h"
#include "primitives/divisors.h"
#include "primitives/space/contraction/execution.h"
#include "primitives/space/default_rule/group_choices.h"

namespace dovetail {
namespace {

constexpr double kStart = 0.2;  // microseconds, beside its launch
constexpr double kF32Bytes = 4;
// Cycles that a work-item waits: for a round's copies, or with two of each; for all others; in a
// step, or in a tap where no channels are added up; for weights that no copy holds.
constexpr double kRoundLatency = 460, kDoubledLatency = 300, kAsyncLatency = 100;
constexpr double kBarrier = 150, kBarrierAhead = 30;
// The share of the time of copies that is seen, where a round loads none, or the next one's.
constexpr double kSeenCopies = 0.35, kSeenAhead = 0.15;
constexpr double kStepLatency = 90, kTapLatency = 6, kLoadLatency = 170;
constexpr double kOverlap = 2.5;
constexpr double kOneBank = 1.3;  // times multiply-adds, where rows of a step share a bank
constexpr double kWideLoad = 4;   // cycles of a unit, for 32 work-items
// Instructions of a load into a copy, and how often their cycles one of a single element waits.
constexpr double kFill = 10, kAsyncFill = 4, kFillPerWindow = 12, kElementWaits = 5;
constexpr double kGroupSum = 300, kCyclesOfSum = 8;  // cycles; an element's of a tile

// Rows of a work-item.
double item_rows(const GroupTile& tile) {
  return static_cast<double>(tile.accumulators() / tile.vectors);
}

// True if X, stored with the reduction outermost, has the innermost rows of a tile side by side.
bool may_have_rows_of_outputs(const ContractionPlan& plan, const std::vector<std::string>& rows,
                              const LocalCopies& copies) {
  const ContractionFacts& s = plan.facts;
  if (plan.inputs_are_made || plan.layouts_are_fixed) return false;
  if (s.pure.empty() || rows.empty() || !s.windows.empty() || !copies.may_copy(0)) return false;
  const Access& x = s.inputs()[0];
  if (access_has(x, s.vector_axis)) return false;
  const int64_t extent = s.axis(rows.front()).extent;
  const Tensor& tensor = s.tensor(x.tensor);
  // The first dim stays outside of channels (decode_layouts.cc).
  for (size_t dim = 1; dim < x.indices.size(); ++dim)
    if (x.indices[dim] == IndexExpr::variable(rows.front()))
      return tensor.dims[dim].extent == extent && extent % s.lanes == 0;
  return false;
}

// Cycles of two units that mostly work at once, and wait for each other where both are full.
double both(double a, double b) {
  const double more = std::max(a, b), less = std::min(a, b);
  if (less <= 0) return more;
  return more * std::pow(1 + std::pow(less / more, kOverlap), 1 / kOverlap);
}

double fill_instructions(const GroupTile& tile) {
  return tile.rounds_ahead > 1 ? kAsyncFill : kFill;
}

double barrier(const GroupTile& tile) {
  return tile.reduction_first && tile.rounds_ahead > 0 ? kBarrierAhead : kBarrier;
}

double round_latency(const GroupTile& tile) {
  if (tile.rounds_ahead == 0) return kRoundLatency;
  return tile.rounds_ahead > 1 || tile.reduction_first ? kAsyncLatency : kDoubledLatency;
}

}  // namespace

GroupEstimate::GroupEstimate(const ProductTraits& traits)
    : s_(traits.s),
      target_(traits.target),
      rows_(traits.rows),
      unit_(device_unit(traits.target)),
      copies_(traits.s),
      has_rows_of_outputs_(may_have_rows_of_outputs(traits.plan, rows_, copies_)),
      operand_microseconds_(static_cast<double>(operand_bytes(s_)) / unit_.bytes_per_microsecond) {
  for (const std::string& window : s_.windows) taps_ *= s_.axis(window).extent;
  for (const std::string& row : rows_) row_extents_.push_back(s_.axis(row).extent);
  if (!s_.vector_axis.empty()) vector_extent_ = s_.axis(s_.vector_axis).extent;
  if (!s_.pure.empty()) reduction_extent_ = s_.axis(s_.pure).extent;
  x_has_vectors_ = access_has(s_.inputs()[0], s_.vector_axis);
  for (const ContractionAxis& a : s_.axes) {
    if (!s_.is_output(a.name)) continue;
    others_ *= a.phases;
    const bool is_row = std::ranges::find(rows_, a.name) != rows_.end();
    if (!is_row && a.name != s_.vector_axis) others_ *= a.extent;
  }
}

double GroupEstimate::seconds(const GroupTile& tile) const {
  Choices choices = tile_choices(s_, rows_, tile);
  copy_operands(s_, target_, copies_, choices);
  const int64_t ahead = tile.rounds_ahead;
  if (ahead > 0 && !copies_.may_load_ahead(choices, ahead)) return kNever;
  Copied copied{.local_bytes = copies_.bytes(choices)};
  if (copied.local_bytes > target_.local_memory_bytes) return kNever;
  if (!s_.pure.empty()) copied.round_bytes = bytes_of_a_round(std::move(choices));
  return seconds(tile, copied);
}

double GroupEstimate::seconds(const GroupTile& tile, const Copied& copied) const {
  const double fills = fills_of(tile, copied.round_bytes);
  const double staged = tile.rounds_ahead == 1 ? fills * static_cast<double>(s_.lanes) : 0;
  const double registers = registers_of(tile, staged);
  if (registers > unit_.room.registers_of_item) return kNever;
  const double resident = resident_groups({.work_items = static_cast<double>(tile.items()),
                                           .registers = registers,
                                           .local_bytes = static_cast<double>(copied.local_bytes)},
                                          unit_.room)
                              .groups;
  if (resident < 1) return kNever;
  const double groups = groups_of(tile);
  const double on_a_unit = std::ceil(groups / unit_.units);
  const double waves = std::floor(on_a_unit / resident), rest = on_a_unit - waves * resident;
  const double all = (waves > 0 ? waves * cycles(tile, resident, fills) : 0) +
                     (rest > 0 ? cycles(tile, rest, fills) : 0);
  const double read =
      groups * bytes_read(tile, copied.round_bytes) / unit_.shared_bytes_per_microsecond;
  const double computing = beside_copies(tile, all / unit_.cycles_per_microsecond, read);
  return 1e-6 * (both(computing, operand_microseconds_) + kStart + unit_.launch_microseconds +
                 microseconds_of_sum(tile));
}

double GroupEstimate::least_seconds(const GroupTile& tile) const {
  const double cycles =
      std::max(work_of(tile) / unit_.schedulers, kWideLoad * steps_of(tile) * loads_of(tile));
  return 1e-6 * std::ceil(groups_of(tile) / unit_.units) * warps_of(tile) * cycles /
         unit_.cycles_per_microsecond;
}

bool GroupEstimate::may_put_reduction_first(const GroupTile& tile) const {
  return has_rows_of_outputs_ && tile.rows.front() % s_.lanes == 0;
}

double GroupEstimate::groups_of(const GroupTile& tile) const {
  int64_t groups = others_ * tile.parts;
  if (!s_.vector_axis.empty())
    groups *= ceil_quotient(vector_extent_, tile.vectors * s_.lanes * tile.items_of_vectors);
  for (size_t r = 0; r < rows_.size(); ++r)
    groups *= ceil_quotient(row_extents_[r], tile.rows[r] * tile.items_of_rows[r]);
  return static_cast<double>(groups);
}

double GroupEstimate::registers_of(const GroupTile& tile, double staged) const {
  const double rows = item_rows(tile);
  const auto vectors = static_cast<double>(tile.vectors), lanes = static_cast<double>(s_.lanes);
  // Depthwise, a row has a value of X for each vector, and not one for all.
  const double read_rows = s_.pure.empty()        ? rows * vectors
                           : tile.reduction_first ? rows / lanes
                                                  : rows;
  return estimated_registers(
      {.kept = lanes * rows * vectors + staged, .rows = read_rows, .vectors = vectors}, lanes);
}

double GroupEstimate::steps_of(const GroupTile& tile) const {
  return static_cast<double>(reduction_extent_ / (tile.parts * tile.items_of_reduction) * taps_);
}

double GroupEstimate::rounds_of(const GroupTile& tile) const {
  return s_.pure.empty() ? 1 : std::ceil(steps_of(tile) / static_cast<double>(tile.block * taps_));
}

double GroupEstimate::loads_of(const GroupTile& tile) const {
  const double rows = item_rows(tile);
  const auto vectors = static_cast<double>(tile.vectors);
  if (!s_.pure.empty()) return rows / static_cast<double>(s_.lanes) + vectors;
  const double taps = static_cast<double>(taps_);
  double patch = 1, side = std::round(std::pow(taps, 1.0 / std::max<double>(1, rank())));
  for (const int64_t along : tile.rows) patch *= static_cast<double>(along) + side - 1;
  return vectors * (1 + patch / taps);
}

double GroupEstimate::rank() const { return static_cast<double>(s_.windows.size()); }

double GroupEstimate::fills_of(const GroupTile& tile, int64_t round_bytes) const {
  const double bytes = kF32Bytes * static_cast<double>(fills_vectors(tile) ? s_.lanes : 1);
  return std::ceil(static_cast<double>(round_bytes / tile.items()) / bytes);
}

int64_t GroupEstimate::bytes_of_a_round(Choices choices) const {
  choices.set({ParameterKind::row_pad, s_.inputs()[0].tensor}, 0);
  choices.set(ParameterKind::double_buffer, 0);
  return copies_.bytes(choices);
}

bool GroupEstimate::fills_vectors(const GroupTile& tile) const {
  if (tile.reduction_first) return true;
  return tile.block % s_.lanes == 0 && !x_has_vectors_;
}

double GroupEstimate::warps_of(const GroupTile& tile) const {
  return std::ceil(static_cast<double>(tile.items()) / unit_.lockstep);
}

double GroupEstimate::work_of(const GroupTile& tile) const {
  const bool waits_for_banks = !s_.pure.empty() && !tile.reduction_first;
  return steps_of(tile) * static_cast<double>(tile.accumulators() * s_.lanes) *
         (waits_for_banks ? kOneBank : 1);
}

double GroupEstimate::busy_cycles(const GroupTile& tile, double filling) const {
  return both((work_of(tile) + filling) / unit_.schedulers,
              kWideLoad * steps_of(tile) * loads_of(tile));
}

double GroupEstimate::cycles(const GroupTile& tile, double groups, double fills) const {
  const double steps = steps_of(tile);
  const double rounds = rounds_of(tile);
  const double filling = rounds * fills * (fill_instructions(tile) + kFillPerWindow * rank());
  const double busy = groups * warps_of(tile) * busy_cycles(tile, filling);
  const bool waits_for_weights = !s_.pure.empty() && !copies_weights();
  const double batches = steps / static_cast<double>(tile.unroll * unrolled_taps(s_, tile));
  const double alone = work_of(tile) + (s_.pure.empty() ? kTapLatency : kStepLatency) * steps +
                       (fills_vectors(tile) ? 1 : kElementWaits) * filling +
                       round_latency(tile) * rounds +
                       (waits_for_weights ? kLoadLatency * batches : 0);
  const auto summed = static_cast<double>(tile.items_of_reduction > 1 ? tile.accumulators() : 0);
  return std::max(busy, alone) + barrier(tile) * rounds * (groups > 1 ? 1 : 2) +
         (summed > 0 ? kGroupSum : 0) + kCyclesOfSum * summed * static_cast<double>(s_.lanes);
}

double GroupEstimate::beside_copies(const GroupTile& tile, double computing, double read) const {
  const bool waits = has_rows_of_outputs_ && tile.rounds_ahead < 2;  // fitted to products
  const double seen = !waits ? 0 : tile.rounds_ahead == 0 ? kSeenCopies : kSeenAhead;
  return std::max(computing, read) + seen * std::min(computing, read);
}

double GroupEstimate::bytes_read(const GroupTile& tile, int64_t round_bytes) const {
  if (s_.pure.empty()) return 0;
  const double steps = steps_of(tile);
  const double group_steps = steps * static_cast<double>(tile.items_of_reduction);
  const double columns = static_cast<double>(tile.vectors * tile.items_of_vectors * s_.lanes);
  return rounds_of(tile) * static_cast<double>(round_bytes) +
         (copies_weights() ? 0 : group_steps * columns * kF32Bytes);
}

bool GroupEstimate::copies_weights() const { return s_.windows.empty() && copies_.may_copy(1); }

double GroupEstimate::microseconds_of_sum(const GroupTile& tile) const {
  if (tile.parts == 1) return 0;
  const auto outputs = static_cast<double>(bytes_of(s_, s_.output()));
  return unit_.launch_microseconds +
         outputs * static_cast<double>(2 * tile.parts + 1) / unit_.bytes_per_microsecond;
}

}  // namespace dovetail
