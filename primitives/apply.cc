// SPDX-License-Identifier: Apache-2.0
#include "primitives/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "core/base/check.h"
#include "core/ir/value/walk.h"
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

// The computation whose result alone reads the tensor, at its own output's axes.
const Computation* only_result_reader(const Tensor& tensor, const std::vector<PlannedStage>& plan) {
  const Computation* reader = nullptr;
  for (const PlannedStage& stage : plan) {
    const Computation& c = stage.computation;
    for (size_t k = 0; k < c.reads.size(); ++k) {
      if (c.reads[k].tensor != tensor.name) continue;
      const bool plain = std::ranges::all_of(c.reads[k].indices, [&](const IndexExpr& index) {
        return std::ranges::find(c.output.indices, index) != c.output.indices.end();
      });
      if (k < element_reads(c).size() || !plain || (reader != nullptr && reader != &c))
        return nullptr;
      reader = &c;
    }
  }
  return reader;
}

// Without lines of its own, a constant that only a result reads (a bias) is stored as that output
// is, and so is an activation of the output's shape (a residual).
Result<Layout> layout_of(const Tensor& tensor, const Trace& trace,
                         const std::vector<PlannedStage>& plan, const Guests& guests) {
  const Layout plain = plain_layout(tensor, guests);
  if (const TensorLayout* lines = lines_of(trace, tensor.name)) return apply_all(*lines, plain);
  const Computation* reader = only_result_reader(tensor, plan);
  if (reader == nullptr || !is_product_sum(*reader)) return plain;
  const TensorLayout* output_lines = lines_of(trace, reader->output.tensor);
  const Tensor& output = tensor_named(*reader, reader->output.tensor);
  if (output_lines == nullptr) return plain;
  if (tensor.role != TensorRole::constant && tensor.dims != output.dims) return plain;
  Layout like = TRY(apply_all(*output_lines, identity_layout(output.dims)));
  like.scope = MemoryScope::global;
  return tensor.dims == output.dims ? like : like_output(tensor, like);
}

// Whether what is stored behind the dimension's last element is zero.
using ZeroBeyond = std::function<bool(const std::string& tensor, size_t dim)>;

// What is given is packed so. What a stage makes is, where it sums up products with a factor that
// ends there, too.
bool is_zero_beyond(const std::vector<PlannedStage>& plan, const std::string& tensor, size_t dim) {
  const auto maker = std::ranges::find_if(
      plan, [&](const PlannedStage& stage) { return stage.computation.output.tensor == tensor; });
  if (maker == plan.end()) return true;
  const Computation& c = maker->computation;
  if (!is_product_sum(c) || !(c.result == Value(Reduced{}))) return false;
  return std::ranges::any_of(element_reads(c), [&](const Access& access) {
    return find_table(c, access.tensor) == nullptr &&
           std::ranges::find(access.indices, c.output.indices[dim]) != access.indices.end();
  });
}

// A sum of products runs over the padded extent of its axis where every tensor that it indexes
// alone stores that padding, and zeros in it.
int64_t reduction_extent(const Axis& axis, const Computation& computation,
                         const std::map<std::string, Layout>& layouts, const ZeroBeyond& zero) {
  if (!is_product_sum(computation)) return axis.extent;
  const IndexExpr alone = IndexExpr::variable(axis.name);
  int64_t common = -1;
  for (const Access& access : element_reads(computation)) {
    if (find_table(computation, access.tensor) != nullptr) return axis.extent;
    for (size_t j = 0; j < access.indices.size(); ++j) {
      if (!access.indices[j].mentions(axis.name)) continue;
      if (!(access.indices[j] == alone) || !zero(access.tensor, j)) return axis.extent;
      const int64_t stored = stored_range(layouts.at(access.tensor), static_cast<int>(j)).max + 1;
      common = common < 0 ? stored : std::min(common, stored);
    }
  }
  return std::max(common, axis.extent);
}

// One loop per reduction axis. Where a condition fixes the low digit, only the others are looped
// over, kh = 2*kh' + ((h + 1) mod 2), and the condition holds by itself.
void add_reduction_loops(const std::map<std::string, Layout>& layouts, const ZeroBeyond& zero,
                         Stage& stage) {
  const std::vector<FixedDigit> fixed = fixed_digits(stage.computation);
  for (const Axis& axis : stage.computation.axes) {
    if (!axis.reduction) continue;
    StageLoop loop{.name = axis.name, .reduction = true};
    IndexExpr value = IndexExpr::variable(axis.name);
    const auto low = std::ranges::find(fixed, axis.name, &FixedDigit::axis);
    if (low == fixed.end()) {
      loop.extent = reduction_extent(axis, stage.computation, layouts, zero);
    } else {
      loop.extent = round_up(axis.extent, low->step) / low->step;
      value = value * low->step + substitute(low->digit, stage.axis_values, loop_ranges(stage));
    }
    stage.loops.push_back(std::move(loop));
    stage.axis_values[axis.name] = value;
  }
}

// One loop for each index that data choose, inside all that its data depend on.
void add_chosen_loops(Stage& stage) {
  const Computation& c = stage.computation;
  for (size_t k = 0; k < c.chosen.size(); ++k) {
    const ChosenIndex& index = c.chosen[k];
    size_t place = 0;
    for_each_index(index.value, c.reads, [&](const IndexExpr& e) {
      const IndexExpr over = substitute(e, stage.axis_values, loop_ranges(stage));
      for (size_t l = place; l < stage.loops.size(); ++l)
        if (over.mentions(stage.loops[l].name)) place = l + 1;
    });
    stage.loops.insert(stage.loops.begin() + static_cast<ptrdiff_t>(place),
                       {.name = index.name, .extent = index.extent, .chosen = static_cast<int>(k)});
    stage.axis_values[index.name] = IndexExpr::variable(index.name);
  }
}

StageRole role_of(const Computation& computation) {
  if (!computation.tables.empty()) return StageRole::transform;
  return is_copy(computation) ? StageRole::copy : StageRole::computation;
}

Stage build_stage(std::string name, Computation computation,
                  const std::map<std::string, Layout>& layouts, const ZeroBeyond& zero) {
  Stage stage;
  stage.name = std::move(name);
  stage.role = role_of(computation);
  stage.computation = std::move(computation);
  stage = with_output_loops(stage, layouts.at(stage.computation.output.tensor));
  add_reduction_loops(layouts, zero, stage);
  add_chosen_loops(stage);
  return stage;
}

void rename_tensor(Computation& computation, const std::string& from, const std::string& to) {
  for (Tensor& tensor : computation.tensors) {
    if (tensor.name == from) tensor.name = to;
  }
  for (Access& access : computation.reads) {
    if (access.tensor == from) access.tensor = to;
  }
}

bool reads_beyond(const Access& access, const Tensor& tensor, const Ranges& ranges) {
  for (size_t j = 0; j < access.indices.size(); ++j) {
    const std::optional<Range> range = known_range(access.indices[j], ranges);
    if (!range || range->min < 0 || range->max >= tensor.dims[j].extent) return true;
  }
  return false;
}

// What readers of the tensor mean by an element beyond it; an error when they differ.
Result<double> outside_of(const Tensor& tensor, const std::vector<PlannedStage>& plan) {
  std::optional<double> outside;
  for (const PlannedStage& stage : plan) {
    const Ranges ranges = axis_ranges(stage.computation);
    for (const Access& access : stage.computation.reads) {
      if (access.tensor != tensor.name || !reads_beyond(access, tensor, ranges)) continue;
      if (outside && *outside != access.outside)
        return fail(
            fmt::format("layout {}: readers mean {} and {} by an element beyond it, which "
                        "one padding cannot hold",
                        tensor.name, *outside, access.outside));
      outside = access.outside;
    }
  }
  return outside.value_or(0);
}

// Made by a stage for others, or given; nothing else has a role of its own.
BufferRole role_of(const Tensor& tensor, const std::vector<PlannedStage>& plan) {
  for (const PlannedStage& stage : plan) {
    if (!stage.inner || stage.computation.output.tensor != tensor.name) continue;
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

  Result<Schedule> schedule(const std::string& anchor) {
    TRY(check_names(trace_, tensors_of(plan_)));
    for (PlannedStage& planned : plan_) {
      if (planned.name != anchor) continue;
      JoinedComputation joined = TRY(apply_store_at(trace_.layouts, planned.computation));
      planned.computation = std::move(joined.computation);
      guests_ = std::move(joined.guests);
    }
    const std::vector<Tensor> tensors = tensors_of(plan_);
    schedule_.anchor = anchor;
    for (const Tensor& tensor : tensors) TRY(add(tensor));
    for (PlannedStage& planned : plan_) {
      Stage stage = build_stage(planned.name, planned.computation, layouts_, zero_beyond());
      stage.once = planned.once;
      schedule_.stages.push_back(std::move(stage));
    }
    std::ranges::stable_partition(schedule_.stages, &Stage::once);  // copies are in front
    return std::move(schedule_);
  }

 private:
  Result<void> add(const Tensor& tensor) {
    const Layout layout = TRY(layout_of(tensor, trace_, plan_, guests_));
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
    ScheduledTensor scheduled{tensor.name, tensor.name, tensor.type, role, layout};
    if (role == BufferRole::temporary && is_read_beyond(tensor) && !is_one_to_one(layout))
      scheduled.outside = TRY(outside_of(tensor, plan_));
    schedule_.tensors.push_back(std::move(scheduled));
    return {};
  }

  ZeroBeyond zero_beyond() const {
    return [this](const std::string& tensor, size_t dim) {
      return is_zero_beyond(plan_, tensor, dim);
    };
  }

  bool is_read_beyond(const Tensor& tensor) const {
    return std::ranges::any_of(plan_, [&](const PlannedStage& stage) {
      const Ranges ranges = axis_ranges(stage.computation);
      return std::ranges::any_of(stage.computation.reads, [&](const Access& access) {
        return access.tensor == tensor.name && reads_beyond(access, tensor, ranges);
      });
    });
  }

  // An activation that is padded or unfolded: its readers read a copy.
  Result<void> add_copy(const Tensor& tensor, const Layout& layout) {
    const std::string copy = tensor.name + ".pad";
    layouts_[tensor.name] = without_expansion(layout);
    layouts_[copy] = layout;
    schedule_.tensors.push_back(
        {tensor.name, tensor.name, tensor.type, BufferRole::activation, layouts_[tensor.name]});
    schedule_.tensors.push_back({copy, tensor.name, tensor.type, BufferRole::temporary, layout});
    const double outside = TRY(outside_of(tensor, plan_));
    schedule_.stages.push_back(
        build_stage(copy, copy_computation(tensor, copy, outside), layouts_, zero_beyond()));
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

Result<Schedule> with_layouts(const Trace& trace, const Region& region, const Target& target) {
  return Scheduler(trace, TRY(plan_stages(region, trace.algorithm)), target)
      .schedule(region.anchor);
}

StageLoops lines_of_stage(const Trace& trace, const std::string& stage) {
  const auto lines = std::ranges::find(trace.loops, stage, &StageLoops::stage);
  return lines == trace.loops.end() ? StageLoops{stage, {}} : *lines;
}

Result<void> check_loop_lines(const Trace& trace, const Schedule& schedule) {
  std::set<std::string> seen;
  for (const StageLoops& lines : trace.loops) {
    const std::string& stage = lines.stage.empty() ? schedule.anchor : lines.stage;
    if (stage.empty()) return fail("loops: the region has no anchor; expected `loops STAGE: …`");
    if (!seen.insert(stage).second) return fail(fmt::format("loops {}: given twice", stage));
    const bool inlined =
        lines.primitives.size() == 1 && std::holds_alternative<loop::Inline>(lines.primitives[0]);
    const bool known =
        std::ranges::find(schedule.stages, stage, &Stage::name) != schedule.stages.end();
    if (!known && !inlined) return fail(fmt::format("loops {}: no such stage", stage));
  }
  return {};
}

// Loops of the anchor's stage, up to an rfactor: there it becomes two, and the loops that follow
// are of the second one.
Result<StageLoops> split_anchor(const StageLoops& lines, Schedule& schedule) {
  const auto is_rfactor = [](const LoopPrimitive& p) {
    return std::holds_alternative<loop::RFactor>(p);
  };
  const auto at = std::ranges::find_if(lines.primitives, is_rfactor);
  const auto place = std::ranges::find(schedule.stages, schedule.anchor, &Stage::name);
  if (at == lines.primitives.end() || place == schedule.stages.end()) return lines;
  const Stage own = TRY(apply_all({lines.stage, {lines.primitives.begin(), at}}, *place));
  std::map<std::string, Layout> layouts;
  for (const ScheduledTensor& tensor : schedule.tensors) layouts[tensor.name] = tensor.layout;
  Result<SplitReduction> split =
      split_reduction(std::get<loop::RFactor>(*at), own, layouts.at(own.computation.output.tensor));
  if (!split) return fail("loops: " + split.error().message);
  const std::string name = split->partial.name;
  layouts[name] = split->layout;
  schedule.tensors.push_back({name, name, ElementType::f32, BufferRole::temporary, split->layout});
  const auto nothing_beyond = [](const std::string&, size_t) { return false; };
  *place = build_stage(own.name, std::move(split->remaining), layouts, nothing_beyond);
  schedule.stages.insert(place, std::move(split->partial));
  return StageLoops{lines.stage, {at + 1, lines.primitives.end()}};
}

}  // namespace

Result<Schedule> initial_schedule(const Region& region) { return with_layouts({}, region, {}); }

Result<Schedule> initial_schedule(const Operator& op) {
  return initial_schedule(TRY(region_of(op)));
}

Result<Schedule> apply(const Trace& trace, const Operator& op, const Target& target) {
  return apply(trace, TRY(region_of(op)), target);
}

// Stages that read come first: where a stage runs inside its reader, and what it makes there,
// follows from the reader's loops.
Result<Schedule> apply(const Trace& trace, const Region& region, const Target& target) {
  Schedule schedule = TRY(with_layouts(trace, region, target));
  const StageLoops own = TRY(split_anchor(lines_of_stage(trace, ""), schedule));
  schedule = TRY(inline_stages(trace, schedule));
  for (size_t index = schedule.stages.size(); index-- > 0;) {
    const size_t stages = schedule.stages.size();
    const std::string& name = schedule.stages[index].name;
    StageLoops lines = lines_of_stage(trace, name);
    if (name == schedule.anchor && lines.primitives.empty()) lines = own;
    schedule = TRY(apply_line(lines, schedule, index, target));
    index += schedule.stages.size() - stages;  // copies that it reads now
  }
  TRY(check_loop_lines(trace, schedule));
  return schedule;
}

}  // namespace dovetail
