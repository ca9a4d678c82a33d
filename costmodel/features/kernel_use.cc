// SPDX-License-Identifier: Apache-2.0
#include "costmodel/features/kernel_use.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "costmodel/features/cost_estimate.h"
#include "costmodel/features/live_tiles.h"
#include "costmodel/features/program_facts.h"

namespace dovetail {
namespace {

bool is_tile_of_item(const ProgramFacts& facts, const AccessFacts& access) {
  const StorageKind kind = facts.storage(access.storage).kind;
  return kind == StorageKind::registers || kind == StorageKind::private_;
}

// A statement with its unrolled and vectorized loops written out; those of an instruction are not.
class Step {
 public:
  Step(const ProgramFacts& facts, const StatementFacts& statement)
      : facts_(facts),
        statement_(statement),
        begin_(body_begin(facts, statement)),
        end_(statement.loops.size()) {
    for (size_t at = begin_; at < end_; ++at) {
      const Loop& loop = *facts.loop(statement.loops[at]).loop;
      if (!loop.intrinsic.empty()) {
        end_ = at;
        break;
      }
      if (loop.kind == LoopKind::vectorized && loop.extent > 1)
        lane_ = at;
      else
        copies_ *= static_cast<double>(loop.extent);
    }
  }

  // Elements that lanes share, and vectors that move with them, in each step of a reduction.
  ItemValues operands(double lanes) const {
    const double steps = std::max(1.0, copies_ / distinct(statement_.target));
    ItemValues values;
    for (const AccessFacts& load : statement_.loads) {
      if (is_tile_of_item(facts_, load)) continue;
      const double elements = distinct(load) / steps;
      if (lane_ && load.strides[*lane_] != 0)
        values.vectors += elements * std::ceil(extent_of_lane() / lanes);
      else if (lane_)
        values.rows += reads_rows_side_by_side(load) ? elements / lanes : elements;
      else
        values.kept += elements;
    }
    return values;
  }

 private:
  // A wide load has then several rows of a step, and not several steps of a row.
  bool reads_rows_side_by_side(const AccessFacts& load) const {
    for (size_t at = begin_; at < end_; ++at)
      if (load.strides[at] == 1) return statement_.target.strides[at] != 0;
    return false;
  }

  double extent_of_lane() const {
    return static_cast<double>(facts_.loop(statement_.loops[*lane_]).loop->extent);
  }

  // Elements that the copies access, in one lane.
  double distinct(const AccessFacts& access) const {
    AccessRegion region = access.region;
    for (size_t at = begin_; at < end_; ++at) {
      const int loop = statement_.loops[at];
      if (at != lane_)
        close_loop(region, loop, static_cast<double>(facts_.loop(loop).loop->extent));
    }
    return std::max(1.0, distinct_elements(region));
  }

  const ProgramFacts& facts_;
  const StatementFacts& statement_;
  size_t begin_, end_;
  std::optional<size_t> lane_;  // position of the vectorized loop
  double copies_ = 1;           // in a lane
};

double registers_of(const Program& kernel, const Target& target) {
  const ProgramFacts facts = facts_of(kernel);
  const std::vector<double> tiles = live_tile_registers(kernel.kernels.front().body);
  CHECK(tiles.size() == facts.statements.size());
  const double lanes = vector_lanes(target);
  double most = 0;
  for (size_t i = 0; i < facts.statements.size(); ++i) {
    const StatementFacts& statement = facts.statements[i];
    ItemValues values;  // none if asynchronous: such a copy passes registers by
    if (!statement.store->async) values = Step(facts, statement).operands(lanes);
    values.kept += tiles[i];
    most = std::max(most, estimated_registers(values, lanes));
  }
  return most;
}

std::optional<Residency> residency_of(const KernelUse& use, const Target& target) {
  const std::optional<UnitRoom> room = unit_room(target);
  if (!room) return std::nullopt;
  const auto work_items = static_cast<double>(use.work_groups.work_items);
  // A compiler spills until a group fits.
  const double registers =
      std::min({use.registers, room->registers_of_item, std::floor(room->registers / work_items)});
  const ResidentGroups resident =
      resident_groups({.work_items = work_items,
                       .registers = registers,
                       .local_bytes = static_cast<double>(use.work_groups.local_bytes)},
                      *room);
  if (resident.groups < 1) return std::nullopt;  // the device cannot run it
  const auto units = static_cast<double>(std::max<int64_t>(1, target.compute_units));
  return Residency{
      .groups = resident.groups,
      .limit = resident.limit,
      .occupancy = resident.groups * work_items / room->work_items,
      .waves = static_cast<double>(use.work_groups.groups) / (units * resident.groups)};
}

}  // namespace

std::optional<double> KernelUse::intensity() const {
  if (multiply_adds == 0 || bytes == 0) return std::nullopt;
  return 2 * multiply_adds / static_cast<double>(bytes);
}

std::vector<KernelUse> kernel_uses(const Program& program, const Target& target) {
  std::vector<KernelUse> uses;
  for (const Kernel& kernel : program.kernels) {
    if (kernel.prepares) continue;
    const Program alone{.buffers = program.buffers, .kernels = {kernel}};
    KernelUse use{.kernel = kernel.name,
                  .work_groups = work_groups_of(kernel),
                  .registers = registers_of(alone, target),
                  .residency = {},
                  .multiply_adds = executed_fmas(alone),
                  .bytes = touched_bytes(alone)};
    use.residency = residency_of(use, target);
    uses.push_back(std::move(use));
  }
  return uses;
}

}  // namespace dovetail
