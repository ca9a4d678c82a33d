// SPDX-License-Identifier: Apache-2.0
#include "primitives/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/check.h"
#include "primitives/algorithm/planned_stages.h"
#include "primitives/copy.h"
#include "primitives/divisors.h"
#include "primitives/layout/apply_layout.h"
#include "primitives/layout/store_at.h"
#include "primitives/loop/apply_loop.h"
#include "primitives/loop/output_loops.h"
#include "primitives/loop/rfactor.h"

namespace dovetail {
namespace {

const TensorLayout* lines_of(const Trace& trace, const std::string& tensor) {
  for (const TensorLayout& lines : trace.layouts) {
    if (lines.tensor == tensor) return &lines;
  }
  return nullptr;
}

// Every tensor of the plan, in the order in which stages name them.
std::vector<Tensor> tensors_of(const std::vector<PlannedStage>& plan) {
  std::vector<Tensor> tensors;
  for (const PlannedStage& stage : plan) {
    for (const Tensor& tensor : stage.computation.tensors) {
      if (std::ranges::find(tensors, tensor.name, &Tensor::name) == tensors.end())
        tensors.push_back(tensor);
    }
  }
  return tensors;
}

Result<void> check_names(const Trace& trace, const std::vector<Tensor>& tensors) {
  std::set<std::string> seen;
  for (const TensorLayout& lines : trace.layouts) {
    std::string known;
    bool found = false;
    for (const Tensor& tensor : tensors) {
      known += (known.empty() ? "" : ", ") + tensor.name;
      found = found || tensor.name == lines.tensor;
    }
    if (!found)
      return fail(
          fmt::format("layout {}: no such tensor, expected one of {}", lines.tensor, known));
    if (!seen.insert(lines.tensor).second)
      return fail(fmt::format("layout {}: given twice", lines.tensor));
  }
  return {};
}

// A constant along the output's channels is stored as the output is, less the other dims: padded
// alike, so that a partial tile reads zeros instead of a guard, and with the same lanes side by
// side.
Layout like_output(const Tensor& tensor, const Layout& output) {
  Layout layout = identity_layout(tensor.dims);
  layout.axes.clear();
  for (const PhysicalAxis& axis : output.axes) {
    PhysicalAxis kept{axis.name, {}};
    for (Digit digit : axis.digits) {
      const auto dim = std::ranges::find(tensor.dims, output.logical[digit.dim]);
      if (dim == tensor.dims.end()) continue;
      const auto d = dim - tensor.dims.begin();
      layout.offsets[static_cast<size_t>(d)] = output.offsets[digit.dim];
      digit.dim = static_cast<int>(d);
      kept.digits.push_back(digit);
    }
    if (!kept.digits.empty()) layout.axes.push_back(std::move(kept));
  }
  return layout;
}

Layout plain_layout(const Tensor& tensor, const Guests& guests) {
  Layout layout = identity_layout(tensor.dims);
  if (const auto held = guests.find(tensor.name); held != guests.end())
    layout.guests = held->second;
  return layout;
}

Result<Layout> layout_of(const Tensor& tensor, const Trace& trace, const Computation& computation,
                         const Guests& guests) {
  const Layout plain = plain_layout(tensor, guests);
  if (const TensorLayout* lines = lines_of(trace, tensor.name)) return apply_all(*lines, plain);
  const TensorLayout* output_lines = lines_of(trace, computation.output.tensor);
  const Tensor& output = tensor_named(computation, computation.output.tensor);
  if (output_lines == nullptr || (tensor.name != "bias" && tensor.name != "add")) return plain;
  Layout like = TRY(apply_all(*output_lines, identity_layout(output.dims)));
  like.scope = MemoryScope::global;
  return tensor.name == "add" ? like : like_output(tensor, like);
}

// A reduction runs over the padded extent of its axis where every tensor that it indexes alone
// stores that padding: both factors are zero there.
int64_t reduction_extent(const Axis& axis, const Computation& computation,
                         const std::map<std::string, Layout>& layouts) {
  const IndexExpr alone = IndexExpr::variable(axis.name);
  int64_t common = -1;
  for (const Access& access : computation.inputs) {
    if (find_table(computation, access.tensor) != nullptr) return axis.extent;
    for (size_t j = 0; j < access.indices.size(); ++j) {
      if (!access.indices[j].mentions(axis.name)) continue;
      if (!(access.indices[j] == alone)) return axis.extent;
      const int64_t stored = stored_range(layouts.at(access.tensor), static_cast<int>(j)).max + 1;
      common = common < 0 ? stored : std::min(common, stored);
    }
  }
  return std::max(common, axis.extent);
}

// One loop per reduction axis. Where a condition fixes the low digit, only the others are looped
// over, kh = 2*kh' + ((h + 1) mod 2), and the condition holds by itself.
void add_reduction_loops(const std::map<std::string, Layout>& layouts, Stage& stage) {
  const std::vector<FixedDigit> fixed = fixed_digits(stage.computation);
  for (const Axis& axis : stage.computation.axes) {
    if (!axis.reduction) continue;
    StageLoop loop{.name = axis.name, .reduction = true};
    IndexExpr value = IndexExpr::variable(axis.name);
    const auto low = std::ranges::find(fixed, axis.name, &FixedDigit::axis);
    if (low == fixed.end()) {
      loop.extent = reduction_extent(axis, stage.computation, layouts);
    } else {
      loop.extent = round_up(axis.extent, low->step) / low->step;
      value = value * low->step + substitute(low->digit, stage.axis_values, loop_ranges(stage));
    }
    stage.loops.push_back(std::move(loop));
    stage.axis_values[axis.name] = value;
  }
}

Stage build_stage(std::string name, Computation computation,
                  const std::map<std::string, Layout>& layouts) {
  Stage stage;
  stage.name = std::move(name);
  stage.computation = std::move(computation);
  stage = with_output_loops(stage, layouts.at(stage.computation.output.tensor));
  add_reduction_loops(layouts, stage);
  return stage;
}

void rename_tensor(Computation& computation, const std::string& from, const std::string& to) {
  for (Tensor& tensor : computation.tensors) {
    if (tensor.name == from) tensor.name = to;
  }
  for (std::vector<Access>* list : {&computation.inputs, &computation.epilogue_inputs}) {
    for (Access& access : *list) {
      if (access.tensor == from) access.tensor = to;
    }
  }
}

// Made by a stage before the operator's own, or given; nothing else has a role of its own.
BufferRole role_of(const Tensor& tensor, const std::vector<PlannedStage>& plan) {
  for (const PlannedStage& stage : plan) {
    if (&stage == &plan.back() || stage.computation.output.tensor != tensor.name) continue;
    return stage.once ? BufferRole::derived : BufferRole::temporary;
  }
  if (tensor.role == TensorRole::constant) return BufferRole::constant;
  return tensor.role == TensorRole::output ? BufferRole::output : BufferRole::activation;
}

// From operator and layouts to a schedule in which every stage has plain loops.
class Scheduler {
 public:
  Scheduler(const Trace& trace, std::vector<PlannedStage> plan, const Target& target)
      : trace_(trace), plan_(std::move(plan)), target_(target) {}

  Result<Schedule> schedule(DataType dtype) {
    TRY(check_names(trace_, tensors_of(plan_)));
    JoinedComputation joined = TRY(apply_store_at(trace_.layouts, plan_.back().computation));
    plan_.back().computation = std::move(joined.computation);
    guests_ = std::move(joined.guests);
    const std::vector<Tensor> tensors = tensors_of(plan_);
    schedule_.dtype = dtype;
    for (const Tensor& tensor : tensors) TRY(add(tensor));
    for (PlannedStage& planned : plan_) {
      Stage stage = build_stage(planned.name, std::move(planned.computation), layouts_);
      stage.once = planned.once;
      schedule_.stages.push_back(std::move(stage));
    }
    std::ranges::stable_partition(schedule_.stages, &Stage::once);  // copies are in front
    return std::move(schedule_);
  }

 private:
  Result<void> add(const Tensor& tensor) {
    const Layout layout = TRY(layout_of(tensor, trace_, plan_.back().computation, guests_));
    TRY(check_scope(tensor.name, layout, target_));
    const BufferRole role = role_of(tensor, plan_);
    if (!is_input(role) && has_overlap(layout)) {
      return fail(fmt::format(
          "layout {}: {} cannot be unfolded, its elements would be stored more "
          "than once",
          tensor.name, role == BufferRole::output ? "an output" : "what a stage makes"));
    }
    layouts_[tensor.name] = layout;
    if (role == BufferRole::activation && !is_one_to_one(layout)) return add_copy(tensor, layout);
    schedule_.tensors.push_back({tensor.name, tensor.name, role, layout});
    return {};
  }

  // An activation that is padded or unfolded: its readers read a copy.
  Result<void> add_copy(const Tensor& tensor, const Layout& layout) {
    const std::string copy = tensor.name + ".pad";
    layouts_[tensor.name] = without_expansion(layout);
    layouts_[copy] = layout;
    schedule_.tensors.push_back(
        {tensor.name, tensor.name, BufferRole::activation, layouts_[tensor.name]});
    schedule_.tensors.push_back({copy, tensor.name, BufferRole::temporary, layout});
    schedule_.stages.push_back(build_stage(copy, copy_computation(tensor, copy), layouts_));
    for (PlannedStage& planned : plan_) rename_tensor(planned.computation, tensor.name, copy);
    return {};
  }

  const Trace& trace_;
  std::vector<PlannedStage> plan_;
  const Target& target_;
  Guests guests_;
  Schedule schedule_;
  std::map<std::string, Layout> layouts_;
};

Result<Schedule> with_layouts(const Trace& trace, const Operator& op, const Target& target) {
  return Scheduler(trace, TRY(plan_stages(op, trace.algorithm)), target).schedule(op.dtype);
}

StageLoops lines_of_stage(const Trace& trace, const std::string& stage) {
  const auto lines = std::ranges::find(trace.loops, stage, &StageLoops::stage);
  return lines == trace.loops.end() ? StageLoops{stage, {}} : *lines;
}

Result<void> check_loop_lines(const Trace& trace, const Schedule& schedule) {
  std::set<std::string> seen;
  for (const StageLoops& lines : trace.loops) {
    if (!seen.insert(lines.stage).second)
      return fail(
          fmt::format("loops{}: given twice", lines.stage.empty() ? "" : " " + lines.stage));
    const bool inlined =
        lines.primitives.size() == 1 && std::holds_alternative<loop::Inline>(lines.primitives[0]);
    const bool known = std::any_of(schedule.stages.begin(), schedule.stages.end() - 1,
                                   [&](const Stage& stage) { return stage.name == lines.stage; });
    if (!known && !inlined && !lines.stage.empty())
      return fail(fmt::format("loops {}: no such stage", lines.stage));
  }
  return {};
}

// Loops of the operator's own stage, up to an rfactor: there it becomes two, and the loops that
// follow are of the second one.
Result<StageLoops> split_own_stage(const StageLoops& lines, Schedule& schedule) {
  const auto is_rfactor = [](const LoopPrimitive& p) {
    return std::holds_alternative<loop::RFactor>(p);
  };
  const auto at = std::ranges::find_if(lines.primitives, is_rfactor);
  if (at == lines.primitives.end()) return lines;
  Stage own = std::move(schedule.stages.back());
  schedule.stages.pop_back();
  own = TRY(apply_all({lines.stage, {lines.primitives.begin(), at}}, own));
  std::map<std::string, Layout> layouts;
  for (const ScheduledTensor& tensor : schedule.tensors) layouts[tensor.name] = tensor.layout;
  Result<SplitReduction> split =
      split_reduction(std::get<loop::RFactor>(*at), own, layouts.at(own.computation.output.tensor));
  if (!split) return fail("loops: " + split.error().message);
  const std::string name = split->partial.name;
  layouts[name] = split->layout;
  schedule.tensors.push_back({name, name, BufferRole::temporary, split->layout});
  schedule.stages.push_back(std::move(split->partial));
  schedule.stages.push_back(build_stage(own.name, std::move(split->remaining), layouts));
  return StageLoops{lines.stage, {at + 1, lines.primitives.end()}};
}

}  // namespace

Result<Schedule> initial_schedule(const Operator& op) { return with_layouts({}, op, {}); }

// Stages that read come first: where a stage runs inside its reader, and what it makes there,
// follows from the reader's loops.
Result<Schedule> apply(const Trace& trace, const Operator& op, const Target& target) {
  Schedule schedule = TRY(with_layouts(trace, op, target));
  const StageLoops own = TRY(split_own_stage(lines_of_stage(trace, ""), schedule));
  schedule = TRY(inline_stages(trace, schedule));
  for (size_t index = schedule.stages.size(); index-- > 0;) {
    const size_t stages = schedule.stages.size();
    const bool is_operator = index + 1 == stages;
    const StageLoops lines = is_operator ? own : lines_of_stage(trace, schedule.stages[index].name);
    schedule = TRY(apply_line(lines, schedule, index, target));
    index += schedule.stages.size() - stages;  // copies that it reads now
  }
  TRY(check_loop_lines(trace, schedule));
  return schedule;
}

}  // namespace dovetail
