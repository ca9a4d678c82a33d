// SPDX-License-Identifier: Apache-2.0
#include "costmodel/features/cost_estimate.h"

#include <algorithm>
#include <cmath>

namespace dovetail {
namespace {

struct Body {
  const ProgramFacts& facts;
  const StatementFacts& statement;
  size_t begin;   // position of the body's first loop
  int lane = -1;  // position of the vectorized loop among the statement's
  double lanes = 1;
  double machine_lanes = 1;

  const LoopFacts& loop(size_t position) const { return facts.loop(statement.loops[position]); }
  double lane_stride(const AccessFacts& access) const {
    return lane < 0 ? 0 : access.strides[static_cast<size_t>(lane)];
  }
  // Distinct elements that the unrolled copies access, with the vectorized loop fixed.
  double copies(const AccessFacts& access) const {
    AccessRegion region = access.region;
    for (size_t i = begin; i < statement.loops.size(); ++i)
      if (static_cast<int>(i) != lane)
        close_loop(region, statement.loops[i], static_cast<double>(loop(i).loop->extent));
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

// Operands live beside the tile: the vectors loaded in one step of the reduction, and one more.
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

constexpr double kArithmeticPerCycle = 2, kLoadsPerCycle = 2, kStoresPerCycle = 1;
constexpr double kLatencyCycles = 4;
constexpr double kCyclesPerIteration = 1, kCyclesPerLoopExit = 8;
constexpr double kL1BytesPerCycle = 32, kL2BytesPerCycle = 16, kL3BytesPerCycle = 8;
constexpr double kClockHertz = 4e9;
constexpr double kShareOfLesserRoofs = 0.25;
constexpr double kGpuLanesPerUnit = 64;

void add_body(const BodyWork& body, CostEstimate& cost) {
  const double times = body.executions;
  const double arithmetic =
      (body.multiply_adds + body.operations + body.guards) / kArithmeticPerCycle;
  const double loads = (body.broadcasts + body.vector_loads + body.gathers + body.spills / 2 +
                        body.hoisted / std::max(1.0, body.inner_iterations)) /
                       kLoadsPerCycle;
  const double stores = (body.stores + body.scatters + body.spills / 2) / kStoresPerCycle;
  const double chain =
      body.multiply_adds == 0 ? 0 : kLatencyCycles * body.multiply_adds / body.accumulators;
  cost.arithmetic += times * arithmetic;
  cost.loads += times * loads;
  cost.stores += times * stores;
  cost.chain += times * chain;
  cost.compute += times * std::max({arithmetic, loads, stores, chain});
}

double branch_cycles(const ProgramFacts& facts) {
  double cycles = 0;
  for (const LoopFacts& loop : facts.loops) {
    const LoopKind kind = loop.loop->kind;
    const bool is_real = kind == LoopKind::serial || kind == LoopKind::parallel;
    if (!is_real || loop.loop->extent == 1) continue;
    cycles += loop.executions * (loop.iterations * kCyclesPerIteration + kCyclesPerLoopExit);
  }
  return cycles;
}

// Bytes that one execution of the loop moves into the cache.
double traffic(const ProgramFacts& facts, int id, double cache_bytes) {
  const LoopFacts& loop = facts.loop(id);
  if (loop.body_bytes <= cache_bytes || loop.children.empty()) return loop.total_bytes;
  double bytes = loop.direct_bytes;
  for (const int child : loop.children) bytes += traffic(facts, child, cache_bytes);
  return std::max(loop.total_bytes, bytes * loop.iterations);
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
  body.machine_lanes = std::max(1, vector_lanes(target));
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

double cache_traffic_bytes(const ProgramFacts& facts, double cache_bytes) {
  if (facts.touched_bytes <= cache_bytes) return 0;
  double bytes = 0;
  for (const int root : facts.roots) bytes += traffic(facts, root, cache_bytes);
  return bytes;
}

std::vector<BodyWork> bodies_of(const ProgramFacts& facts, const Target& target) {
  std::vector<BodyWork> bodies;
  bodies.reserve(facts.statements.size());
  for (const StatementFacts& statement : facts.statements)
    bodies.push_back(body_work(facts, statement, target));
  return bodies;
}

Spread spread_of(const ProgramFacts& facts, const Target& target) {
  Spread spread;
  spread.units = runs_work_groups(target)
                     ? static_cast<double>(std::max<int64_t>(1, target.compute_units))
                     : static_cast<double>(std::max(1, target.name.threads));
  const int heaviest = heaviest_statement(facts);
  if (heaviest < 0) return spread;
  for (const int id : facts.statements[static_cast<size_t>(heaviest)].loops) {
    const Loop& loop = *facts.loop(id).loop;
    const auto extent = static_cast<double>(loop.extent);
    if (loop.kind == LoopKind::parallel) spread.groups *= extent;
    if (loop.kind != LoopKind::bound) continue;
    (loop.thread <= ThreadAxis::group_2 ? spread.groups : spread.threads) *= extent;
  }
  spread.efficiency = spread.groups / (std::ceil(spread.groups / spread.units) * spread.units);
  return spread;
}

CostEstimate estimate_cost(const ProgramFacts& facts, std::span<const BodyWork> bodies,
                           const Target& target) {
  CostEstimate cost;
  for (const BodyWork& body : bodies) add_body(body, cost);
  cost.branches = branch_cycles(facts);
  cost.compute += cost.branches;
  cost.l1_bytes = cache_traffic_bytes(facts, static_cast<double>(target.l1_bytes));
  cost.l2_bytes = cache_traffic_bytes(facts, static_cast<double>(target.l2_bytes));
  cost.l3_bytes = cache_traffic_bytes(facts, static_cast<double>(target.l3_bytes));
  cost.l1 = cost.l1_bytes / kL1BytesPerCycle;
  cost.l2 = cost.l2_bytes / kL2BytesPerCycle;
  cost.l3 = cost.l3_bytes / kL3BytesPerCycle;
  const Spread spread = spread_of(facts, target);
  const double lanes = runs_work_groups(target) ? std::min(spread.threads, kGpuLanesPerUnit) : 1;
  cost.parallel_units = std::max(1.0, spread.units * spread.efficiency * lanes);
  const double largest = std::max({cost.compute, cost.l1, cost.l2, cost.l3});
  const double sum = cost.compute + cost.l1 + cost.l2 + cost.l3;
  cost.seconds =
      (largest + kShareOfLesserRoofs * (sum - largest)) / (cost.parallel_units * kClockHertz);
  return cost;
}

double estimated_seconds(const Program& program, const Target& target) {
  const ProgramFacts facts = facts_of(program);
  return std::max(1e-12, estimate_cost(facts, bodies_of(facts, target), target).seconds);
}

}  // namespace dovetail
