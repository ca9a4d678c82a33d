// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/loop_lookup.h"
#include <algorithm>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/ir/value/walk.h"
#include "primitives/refuse.h"

namespace dovetail {

Result<size_t> require_loop(const std::string& primitive, const std::string& name,
                            const Stage& stage) {
  const auto loop = std::ranges::find(stage.loops, name, &StageLoop::name);
  if (loop != stage.loops.end()) return static_cast<size_t>(loop - stage.loops.begin());
  return refuse(primitive, "no loop {}, expected one of {}", name,
                one_of(stage.loops, &StageLoop::name));
}

Result<size_t> require_plain_loop(const std::string& primitive, const std::string& name,
                                  const Stage& stage) {
  const size_t index = TRY(require_loop(primitive, name, stage));
  if (stage.loops[index].kind != LoopKind::serial)
    return refuse(primitive, "loop {} is already annotated", name);
  return index;
}

Result<size_t> require_output_loop(const std::string& primitive, const std::string& name,
                                   const std::string& verb, const Stage& stage) {
  const size_t index = TRY(require_plain_loop(primitive, name, stage));
  if (stage.loops[index].reduction)
    return refuse(primitive, "loop {} is a reduction, expected an output loop to {}", name, verb);
  return index;
}

const ScheduledTensor& tensor_named(const std::vector<ScheduledTensor>& tensors,
                                    const std::string& name) {
  const auto tensor = std::ranges::find(tensors, name, &ScheduledTensor::name);
  CHECK(tensor != tensors.end(), "no scheduled tensor " + name);
  return *tensor;
}

const Stage* find_stage(std::span<const Stage> stages, const std::string& name) {
  const auto stage = std::ranges::find(stages, name, &Stage::name);
  return stage == stages.end() ? nullptr : &*stage;
}

const Stage* attached_maker(std::span<const Stage> stages, const std::string& tensor) {
  const auto maker = std::ranges::find_if(stages, [&](const Stage& stage) {
    return stage.attachment && stage.computation.output.tensor == tensor;
  });
  return maker == stages.end() ? nullptr : &*maker;
}

Access substituted(Access access, const IndexValues& values, const Ranges& ranges) {
  for (IndexExpr& index : access.indices) index = substitute(index, values, ranges);
  for (Bound& bound : access.conditions) bound.expr = substitute(bound.expr, values, ranges);
  return access;
}

void take_result(const Computation& from, Computation& to) {
  const int moved =
      static_cast<int>(to.reads.size()) - static_cast<int>(element_reads(from).size());
  to.result = with_reads(from.result, [&](int position) { return ReadOf{position + moved}; });
  for (const Access& access : result_reads(from)) {
    to.reads.push_back(access);
    to.tensors.push_back(tensor_named(from, access.tensor));
  }
  to.tensors.push_back(tensor_named(from, from.output.tensor));
}

bool is_over_work_items(const StageLoop& loop) {
  return loop.kind == LoopKind::bound && loop.thread >= ThreadAxis::thread_0;
}

Stage with_values(Stage stage, const IndexValues& values) {
  const Ranges ranges = loop_ranges(stage);
  for (auto& [axis, value] : stage.axis_values) value = substitute(value, values, ranges);
  for (IndexExpr& index : stage.output_indices) index = substitute(index, values, ranges);
  for (FusedAxes& fused : stage.fused) fused.whole = substitute(fused.whole, values, ranges);
  for (Bound& bound : stage.bounds) bound.expr = substitute(bound.expr, values, ranges);
  if (!stage.attachment) return stage;
  for (IndexExpr& start : stage.attachment->starts) start = substitute(start, values, ranges);
  return stage;
}

}  // namespace dovetail
