// SPDX-License-Identifier: Apache-2.0
//
// schedules() of ir_generators.h.
#include <utility>

#include "tests/support/draws.h"
#include "tests/support/ir_generators.h"

namespace dovetail::testing {
namespace {

Access draw_access(const Ranges& ranges) {
  Access access{draw_name(), {}};
  for (int64_t rank = draw(0, 3); rank > 0; --rank) access.indices.push_back(draw_index(ranges, 1));
  for (int64_t count = chance(3) ? draw(1, 2) : 0; count > 0; --count)
    access.conditions.push_back({draw_index(ranges, 1), draw(-9, 9), draw(-9, 9)});
  return access;
}

Computation draw_computation(const Ranges& ranges) {
  Computation c;
  for (const auto& [name, range] : ranges)
    c.axes.push_back({name, range.max - range.min + 1, chance(2)});
  for (int64_t count = draw(0, 3); count > 0; --count) {
    c.tensors.push_back({draw_name(), {}, static_cast<TensorRole>(draw(0, 2))});
    for (int64_t rank = draw(0, 2); rank > 0; --rank)
      c.tensors.back().dims.push_back({draw_name(), draw(1, 99)});
    c.tensors.back().type = static_cast<ElementType>(draw(0, kNumStoredTypes - 1));
    c.reads.push_back(draw_access(ranges));
    if (chance(3)) c.reads.back().outside = static_cast<double>(draw(-9, 9)) / 7;
    c.element = binary(static_cast<BinaryOp>(draw(0, 9)), c.element, read_of(c.reads.size() - 1));
  }
  c.reducer = static_cast<Reducer>(draw(0, 4));
  if (c.reducer != Reducer::none && chance(2)) c.result = unary(UnaryOp::exp, Reduced{});
  if (chance(3)) c.gathers.push_back({draw_name(), draw(1, 9), c.element});
  c.output = draw_access(ranges);
  for (int64_t count = draw(0, 2); count > 0; --count) {
    CoefficientTable table{draw_name(), {draw(1, 3)}, {}};
    for (int64_t k = table.extents[0]; k > 0; --k)
      table.values.push_back(static_cast<double>(draw(-9, 9)) / (chance(2) ? 1 : 24));
    c.tables.push_back(std::move(table));
  }
  return c;
}

StageLoop draw_stage_loop() {
  StageLoop loop{draw_name(), draw(1, 9), static_cast<LoopKind>(draw(0, 4)), ThreadAxis::group_0,
                 chance(2)};
  if (loop.kind == LoopKind::bound) loop.thread = static_cast<ThreadAxis>(draw(0, 5));
  if (chance(5)) loop.gathers = static_cast<int>(draw(0, 3));
  return loop;
}

Attachment draw_attachment() {
  Attachment a;
  a.stage = draw_name();
  a.loop = chance(3) ? "root" : draw_name();
  a.scope = static_cast<TileScope>(draw(0, 3));
  a.copies = draw(1, 4);
  a.flat_elements = chance(2) ? draw(1, 999) : 0;
  a.row_pad = chance(2) ? draw(1, 9) : 0;
  Ranges ranges;
  for (int64_t count = draw(0, 3); count > 0; --count) {
    a.around.push_back(draw_stage_loop());
    ranges[a.around.back().name] = {0, a.around.back().extent - 1};
  }
  for (int64_t rank = draw(0, 3); rank > 0; --rank) {
    a.starts.push_back(draw_index(ranges, 1));
    a.extents.push_back(draw(1, 99));
  }
  if (!a.extents.empty() && chance(3))
    a.ring = Ring{static_cast<size_t>(draw(0, static_cast<int64_t>(a.extents.size()) - 1)),
                  draw(1, 9), draw(1, 9)};
  return a;
}

Stage draw_stage() {
  const Ranges axes = few_ranges();
  Stage stage;
  stage.name = draw_name();
  stage.role = static_cast<StageRole>(draw(0, 3));
  stage.computation = draw_computation(axes);
  Ranges loops;
  for (int64_t count = draw(1, 4); count > 0; --count) {
    stage.loops.push_back(draw_stage_loop());
    loops[stage.loops.back().name] = {0, stage.loops.back().extent - 1};
  }
  if (chance(3)) stage.fused.push_back({{draw_name(), draw_name()}, draw_index(loops, 1)});
  if (chance(3)) stage.bounds.push_back({draw_index(loops, 1), draw(-9, 0), draw(1, 99)});
  for (const auto& [name, range] : axes) stage.axis_values[name] = draw_index(loops, 1);
  for (int64_t rank = draw(0, 3); rank > 0; --rank)
    stage.output_indices.push_back(draw_index(loops, 1));
  if (chance(2)) stage.cache_write_at = chance(3) ? "root" : draw_name();
  stage.streaming_stores = stage.cache_write_at && chance(2);
  if (chance(3))
    stage.prefetches.push_back(
        {draw_name(), draw_name(), draw(-2, 70), chance(2) ? draw_name() : ""});
  for (int64_t count = draw(0, 2); count > 0; --count)
    stage.cached_reads.push_back(
        {draw_name(), draw_name(), static_cast<TileScope>(draw(0, 3)), draw(1, 4), draw(0, 2)});
  if (chance(2)) stage.attachment = draw_attachment();
  stage.prepares = chance(4);
  return stage;
}

Schedule draw_schedule() {
  Schedule schedule;
  if (chance(2)) schedule.anchor = draw_name();
  for (int64_t count = draw(0, 3); count > 0; --count) {
    const std::string name = draw_name();
    schedule.tensors.push_back({name, draw_name(),
                                static_cast<ElementType>(draw(0, kNumStoredTypes - 1)),
                                static_cast<BufferRole>(draw(0, 4)), draw_layout()});
    if (chance(4)) schedule.tensors.back().outside = static_cast<double>(draw(-9, 9));
  }
  for (int64_t count = draw(0, 2); count > 0; --count) schedule.stages.push_back(draw_stage());
  return schedule;
}

}  // namespace

rc::Gen<Schedule> schedules() { return rc::gen::exec(draw_schedule); }

}  // namespace dovetail::testing
