// SPDX-License-Identifier: Apache-2.0
#include "primitives/apply.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/text.h"
#include "primitives/initial_loops.h"
#include "primitives/loop/apply_loop.h"
#include "primitives/loop/stages.h"
#include "primitives/refuse.h"
#include "primitives/with_layouts.h"

namespace dovetail {
namespace {

StageLoops lines_of_stage(const Trace& trace, const std::string& stage) {
  const auto lines = std::ranges::find(trace.loops, stage, &StageLoops::stage);
  return lines == trace.loops.end() ? StageLoops{stage, {}} : *lines;
}

Result<void> check_loop_lines(const Trace& trace, const Schedule& schedule) {
  std::set<std::string> seen;
  for (const StageLoops& lines : trace.loops) {
    const std::string& stage = lines.stage.empty() ? schedule.anchor : lines.stage;
    if (stage.empty()) return fail("loops: the region has no anchor; expected `loops STAGE: …`");
    if (!seen.insert(stage).second) return refuse("loops " + stage, "given twice");
    const bool inlined =
        lines.primitives.size() == 1 && std::holds_alternative<loop::Inline>(lines.primitives[0]);
    const bool known =
        std::ranges::find(schedule.stages, stage, &Stage::name) != schedule.stages.end();
    if (!known && !inlined)
      return refuse("loops " + stage, "no such stage; expected one of {}",
                    one_of(schedule.stages, &Stage::name));
  }
  return {};
}

// Splits a stage in two at an rfactor among its loop primitives; returns the primitives that apply
// to the second stage, or all of them where there is no rfactor.
Result<StageLoops> split_stage(const StageLoops& lines, Schedule& schedule) {
  const auto is_rfactor = [](const LoopPrimitive& p) {
    return std::holds_alternative<loop::RFactor>(p);
  };
  const auto at = std::ranges::find_if(lines.primitives, is_rfactor);
  const std::string& stage = lines.stage.empty() ? schedule.anchor : lines.stage;
  const auto place = std::ranges::find(schedule.stages, stage, &Stage::name);
  if (at == lines.primitives.end() || place == schedule.stages.end()) return lines;
  const Stage own = TRY(apply_all({lines.stage, {lines.primitives.begin(), at}}, *place));
  std::map<std::string, Layout> layouts;
  for (const ScheduledTensor& tensor : schedule.tensors) layouts[tensor.name] = tensor.layout;
  Result<SplitReduction> split =
      split_reduction(std::get<loop::RFactor>(*at), own, layouts.at(own.computation.output.tensor));
  if (!split) return in_line(lines, split.error().message);
  const std::string name = split->partial.name;
  layouts[name] = split->layout;
  const Computation& partial = split->partial.computation;
  const ElementType type = tensor_named(partial, partial.output.tensor).type;
  schedule.tensors.push_back({name, name, type, BufferRole::temporary, split->layout});
  const auto nothing_beyond = [](const std::string&, size_t) { return false; };
  *place = build_stage(own.name, std::move(split->remaining), layouts, nothing_beyond);
  schedule.stages.insert(place, std::move(split->partial));
  return StageLoops{lines.stage, {at + 1, lines.primitives.end()}};
}

// The trace without the primitives that split its stages.
Result<Trace> split_stages(const Trace& trace, Schedule& schedule) {
  Trace rest = trace;
  for (StageLoops& lines : rest.loops) lines = TRY(split_stage(lines, schedule));
  return rest;
}

}  // namespace

Result<Schedule> apply(const Trace& trace, const Operator& op, const Target& target) {
  return apply(trace, region_of(op), {}, target);
}

Result<Schedule> apply(const Trace& trace, const Region& region, const Target& target) {
  return apply(trace, region, {}, target);
}

// Consumers are handled before producers: their loops determine where an attached stage runs, and
// which part it computes there.
Result<Schedule> apply(const Trace& trace, const Region& region, const Border& border,
                       const Target& target) {
  Schedule schedule = TRY(with_layouts(trace, region, border, target));
  const Trace rest = TRY(split_stages(trace, schedule));
  schedule = TRY(inline_stages(rest, schedule));
  for (size_t index = schedule.stages.size(); index-- > 0;) {
    const size_t stages = schedule.stages.size();
    const std::string& name = schedule.stages[index].name;
    StageLoops lines = lines_of_stage(rest, name);
    if (name == schedule.anchor && lines.primitives.empty()) lines = lines_of_stage(rest, "");
    schedule = TRY(apply_line(lines, schedule, index, target));
    index += schedule.stages.size() - stages;  // copies inserted in front of it
  }
  TRY(check_loop_lines(trace, schedule));
  return schedule;
}

}  // namespace dovetail
