// SPDX-License-Identifier: Apache-2.0
#include "costmodel/features/body_work.h"

#include <algorithm>
#include <cmath>

namespace dovetail {
namespace {

struct Body {
  const ProgramFacts& facts;
  const StatementFacts& statement;
  size_t begin;   // of its loops
  int lane = -1;  // position of the vectorized loop among the statement's
  double lanes = 1;
  double machine_lanes = 1;

  const LoopFacts& loop(size_t position) const { return facts.loop(statement.loops[position]); }
  double lane_stride(const AccessFacts& access) const {
    return lane < 0 ? 0 : access.strides[static_cast<size_t>(lane)];
  }
  // Distinct places among the copies, lanes aside.
  double copies(const AccessFacts& access) const {
    AccessRegion region = access.region;
    for (size_t i = begin; i < statement.loops.size(); ++i) {
      if (static_cast<int>(i) != lane)
        close_loop(region, statement.loops[i], static_cast<double>(loop(i).loop->extent));
    }
    return distinct_elements(region);
  }
  double vectors() const { return std::ceil(lanes / machine_lanes); }
  bool moves_with(const AccessFacts& access, int inner) const {
    return inner < 0 || access.strides[static_cast<size_t>(inner)] != 0;
  }
};

struct Pieces {
  double one = 0, contiguous = 0, apart = 0;
  double sum() const { return one + contiguous + apart; }
};

Pieces pieces_of(const Body& body, const AccessFacts& access) {
  const double copies = body.copies(access);
  const double stride = std::abs(body.lane_stride(access));
  if (body.lane < 0 || stride == 0) return {.one = copies};
  if (stride == 1) return {.contiguous = copies * body.vectors()};
  return {.apart = copies * body.lanes};
}

bool in_registers(const Body& body, const AccessFacts& access) {
  return body.facts.storage(access.storage).kind == StorageKind::registers;
}

void add_loads(const Body& body, int inner, BodyWork& work) {
  const auto add = [&](const AccessFacts& access) {
    if (in_registers(body, access)) return;
    const Pieces pieces = pieces_of(body, access);
    if (!body.moves_with(access, inner)) {
      work.hoisted += pieces.sum();
      return;
    }
    work.broadcasts += pieces.one;
    work.vector_loads += pieces.contiguous;
    work.gathers += pieces.apart;
  };
  for (const AccessFacts& load : body.statement.loads) add(load);
  if (body.statement.store->reducer != Reducer::none) add(body.statement.target);
}

void add_stores(const Body& body, BodyWork& work) {
  const Pieces pieces = pieces_of(body, body.statement.target);
  work.accumulators = std::max(1.0, pieces.sum());
  if (in_registers(body, body.statement.target)) {
    work.register_tile += pieces.sum();
    return;
  }
  work.stores += pieces.one + pieces.contiguous;
  work.scatters += pieces.apart;
}

// Vectors that wait while the others pass by: those of one step of the reduction.
double waiting_operands(const BodyWork& work) {
  const double steps = std::max(1.0, work.multiply_adds / work.accumulators);
  return std::ceil(work.vector_loads / steps) + 1;
}

void find_spills(const Target& target, BodyWork& work) {
  work.live_registers = work.register_tile + waiting_operands(work);
  const auto registers = static_cast<double>(target.vector_registers);
  const double room = std::max(0.0, registers - work.live_registers);
  const double reloaded = std::max(0.0, work.hoisted - room);
  work.vector_loads += reloaded;
  work.hoisted -= reloaded;
  const double steps = std::max(1.0, work.multiply_adds / work.accumulators);
  work.spills = 2 * std::max(0.0, work.live_registers - registers) * std::min(steps, 4.0);
}

}  // namespace

size_t body_begin(const ProgramFacts& facts, const StatementFacts& statement) {
  size_t begin = statement.loops.size();
  while (begin > 0) {
    const LoopFacts& loop = facts.loop(statement.loops[begin - 1]);
    const LoopKind kind = loop.loop->kind;
    const bool written_out = kind == LoopKind::unrolled || kind == LoopKind::vectorized;
    if (!written_out && loop.loop->extent > 1) break;
    --begin;
  }
  return begin;
}

BodyWork body_work(const ProgramFacts& facts, const StatementFacts& statement,
                   const Target& target) {
  Body body{.facts = facts, .statement = statement, .begin = body_begin(facts, statement)};
  body.machine_lanes = std::max(1, target.vector_lanes);
  BodyWork work;
  double copies = 1;
  for (size_t i = body.begin; i < statement.loops.size(); ++i) {
    const Loop& loop = *body.loop(i).loop;
    copies *= static_cast<double>(loop.extent);
    if (loop.kind != LoopKind::vectorized || loop.extent == 1) continue;
    body.lane = static_cast<int>(i);
    body.lanes = static_cast<double>(loop.extent);
  }
  if (body.begin > 0) work.inner_iterations = body.loop(body.begin - 1).iterations;
  work.executions = statement.executions / copies;
  work.lanes = body.lanes;
  work.vectors = body.vectors();
  work.unrolled = copies / body.lanes;
  work.multiply_adds = statement.multiply_adds * work.unrolled * work.vectors;
  work.operations = statement.operations * work.unrolled * work.vectors;
  work.guards = statement.guards * work.unrolled;
  add_loads(body, static_cast<int>(body.begin) - 1, work);
  add_stores(body, work);
  find_spills(target, work);
  return work;
}

}  // namespace dovetail
