// SPDX-License-Identifier: Apache-2.0
#include "primitives/with_layouts.h"

#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "primitives/algorithm/planned_stage.h"
#include "primitives/copy.h"
#include "primitives/initial_loops.h"
#include "primitives/layout/apply_layout.h"
#include "primitives/layout/store_at.h"
#include "primitives/loop/caching.h"
#include "primitives/lowering/nest/access.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

// Every tensor of the plan, in the order in which stages name them.
std::vector<Tensor> tensors_of(const std::vector<PlannedStage>& plan) {
  std::vector<Tensor> tensors;
  for (const PlannedStage& stage : plan) {
    for (const Tensor& tensor : stage.computation.tensors)
      if (std::ranges::find(tensors, tensor.name, &Tensor::name) == tensors.end())
        tensors.push_back(tensor);
  }
  return tensors;
}

Result<void> check_names(const Trace& trace, const std::vector<Tensor>& tensors) {
  std::set<std::string> seen;
  for (const TensorLayout& lines : trace.layouts) {
    if (std::ranges::find(tensors, lines.tensor, &Tensor::name) == tensors.end())
      return refuse("layout " + lines.tensor, "no such tensor, expected one of {}",
                    one_of(tensors, &Tensor::name));
    if (!seen.insert(lines.tensor).second) return refuse("layout " + lines.tensor, "given twice");
  }
  return {};
}

// Whether a tensor has zeros beyond its elements. Given tensors are packed with zeros; the output
// of a stage has them where the stage sums products with a factor that ends there, too.
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

void rename_tensor(Computation& computation, const std::string& from, const std::string& to) {
  for (Tensor& tensor : computation.tensors)
    if (tensor.name == from) tensor.name = to;
  for (Access& access : computation.reads)
    if (access.tensor == from) access.tensor = to;
}

bool reads_beyond(const Access& access, const Tensor& tensor, const Ranges& ranges) {
  for (size_t j = 0; j < access.indices.size(); ++j) {
    const std::optional<Range> range = known_range(access.indices[j], ranges);
    if (!range || range->min < 0 || range->max >= tensor.dims[j].extent) return true;
  }
  return false;
}

// The value that consumers expect of elements beyond the tensor, if they read any; fails where they
// differ.
Result<std::optional<double>> outside_of(const Tensor& tensor,
                                         const std::vector<PlannedStage>& plan) {
  std::optional<double> outside;
  for (const PlannedStage& stage : plan) {
    const Ranges ranges = axis_ranges(stage.computation);
    for (const Access& access : stage.computation.reads) {
      if (access.tensor != tensor.name || !reads_beyond(access, tensor, ranges)) continue;
      if (outside && *outside != access.outside)
        return refuse(
            "layout " + tensor.name,
            "readers mean {} and {} by an element beyond it, which one padding cannot hold",
            *outside, access.outside);
      outside = access.outside;
    }
  }
  if (outside && !holds_outside(tensor.type, *outside)) outside = 0;  // never read
  return outside;
}

// Outputs of inner stages are derived or temporary; other tensors have the role of their own.
BufferRole role_of(const Tensor& tensor, const std::vector<PlannedStage>& plan) {
  for (const PlannedStage& stage : plan) {
    if (!stage.inner || stage.computation.output.tensor != tensor.name) continue;
    return stage.prepares ? BufferRole::prepared : BufferRole::temporary;
  }
  if (tensor.role == TensorRole::constant) return BufferRole::constant;
  return tensor.role == TensorRole::output ? BufferRole::output : BufferRole::activation;
}

// Whether the border's layout can replace the trace's: equal storage, with the value beyond the
// elements that readers (or the border) expect.
bool is_as_stated(const Layout& layout, const BorderTensor& stated, double outside) {
  if (!(normal_form(layout) == stated.layout)) return false;
  return is_one_to_one(layout) || stated.outside == outside;
}

const TensorLayout* lines_of(const Trace& trace, const std::string& tensor) {
  for (const TensorLayout& lines : trace.layouts)
    if (lines.tensor == tensor) return &lines;
  return nullptr;
}

// Whether the output has all dims of the tensor; not those of a diagonal read, A[i,j,i].
bool has_dims_of(const Tensor& tensor, const Layout& output) {
  return std::ranges::all_of(tensor.dims, [&](const LogicalDim& dim) {
    return std::ranges::find(output.logical, dim) != output.logical.end();
  });
}

// Whether vectors along the output's innermost dim would read the tensor with a stride, because the
// dim is not its last. Precondition: has_dims_of().
bool is_read_in_strides(const Tensor& tensor, const Layout& output) {
  if (tensor.dims.empty() || output.axes.empty() || output.axes.back().digits.empty()) return false;
  const LogicalDim& lanes = output.logical[output.axes.back().digits.back().dim];
  return std::ranges::find(tensor.dims, lanes) < std::prev(tensor.dims.end());
}

// The output's layout without the dims that the tensor lacks, for a constant along its channels:
// padded alike, so that a partial tile reads zeros instead of a guard, and with the same lanes
// contiguous.
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

Layout row_major_layout(const Tensor& tensor, const Guests& guests) {
  Layout layout = identity_layout(tensor.dims);
  if (const auto held = guests.find(tensor.name); held != guests.end())
    layout.guests = held->second;
  return layout;
}

// The computation whose epilogue alone reads the tensor, at plain output indices; or null.
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

// A tensor's layout: from its lines in the trace, or like the output of the epilogue that reads it.
//
//     layout Y: split(axis=o, factor=16) reorder(n, o.0, h, w, o.1)
//       Y      [n] [o.0] [h] [w] [o.1]
//       bias   [o.0] [o.1]                  no lines of its own: like the output
//       add    [n] [o.0] [h] [w] [o.1]      a residual likewise
//
// Without lines of its own, a constant that only an epilogue reads (a bias) is stored like that
// output, and so is an activation of the output's shape (a residual), or one of fewer dims that
// vectors would read with a stride.
Result<Layout> layout_of(const Tensor& tensor, const Trace& trace,
                         const std::vector<PlannedStage>& plan, const Guests& guests) {
  const Layout plain = row_major_layout(tensor, guests);
  if (const TensorLayout* lines = lines_of(trace, tensor.name)) return apply_all(*lines, plain);
  const Computation* reader = only_result_reader(tensor, plan);
  if (reader == nullptr || !is_product_sum(*reader)) return plain;
  const TensorLayout* output_lines = lines_of(trace, reader->output.tensor);
  const Tensor& output = tensor_named(*reader, reader->output.tensor);
  if (output_lines == nullptr) return plain;
  Layout like = TRY(apply_all(*output_lines, identity_layout(output.dims)));
  if (!has_dims_of(tensor, like)) return plain;
  if (tensor.role != TensorRole::constant && tensor.dims != output.dims &&
      !is_read_in_strides(tensor, like))
    return plain;
  like.scope = MemoryScope::global;
  return tensor.dims == output.dims ? like : like_output(tensor, like);
}

// Builds, from a region and layouts, a schedule in which every stage has plain loops.
class Scheduler {
 public:
  Scheduler(const Trace& trace, std::vector<PlannedStage> plan, const Border& border,
            const Target& target)
      : trace_(trace), plan_(std::move(plan)), border_(border), target_(target) {}

  Result<Schedule> schedule(const std::string& anchor) {
    TRY(check_names(trace_, tensors_of(plan_)));
    for (PlannedStage& planned : plan_) {
      if (planned.name != anchor) continue;
      TRY(check_store_at(planned));
      JoinedComputation joined = TRY(apply_store_at(trace_.layouts, planned.computation));
      planned.computation = std::move(joined.computation);
      guests_ = std::move(joined.guests);
    }
    const std::vector<Tensor> tensors = tensors_of(plan_);
    schedule_.anchor = anchor;
    for (const Tensor& tensor : tensors) TRY(add(tensor));
    for (PlannedStage& planned : plan_) {
      Stage stage = build_stage(planned.name, planned.computation, layouts_, zero_beyond());
      stage.prepares = planned.prepares;
      stage.pairs = planned.pairs;
      schedule_.stages.push_back(std::move(stage));
    }
    std::ranges::move(wanted_, std::back_inserter(schedule_.stages));
    std::ranges::stable_partition(schedule_.stages, &Stage::prepares);  // copies are in front
    return std::move(schedule_);
  }

 private:
  // With pairs, the sums beside the product would read a guest as if it were an element.
  Result<void> check_store_at(const PlannedStage& planned) const {
    if (!planned.pairs) return {};
    for (const TensorLayout& lines : trace_.layouts)
      for (const LayoutPrimitive& primitive : lines.primitives)
        if (std::holds_alternative<layout::StoreAt>(primitive))
          return refuse("layout " + lines.tensor,
                        "store_at with algorithm winograd_inner_product, expected none");
    return {};
  }

  Result<void> add(const Tensor& tensor) {
    Layout layout = TRY(layout_of(tensor, trace_, plan_, guests_));
    for (const PlannedStage& stage : plan_)
      if (stage.multiplied && stage.multiplied->tensor == tensor.name)
        layout.times = stage.multiplied->times;
    TRY(check_scope(tensor, layout, target_));
    const BufferRole role = role_of(tensor, plan_);
    if (!is_input(role) && has_overlap(layout)) {
      return refuse("layout " + tensor.name,
                    "{} cannot be unfolded, its elements would be stored more than once",
                    role == BufferRole::output ? "an output" : "what a stage makes");
    }
    layouts_[tensor.name] = layout;
    const BorderTensor* stated = find_border(border_, tensor.name);
    if (role == BufferRole::activation) return add_given(tensor, layout, stated);
    if (role == BufferRole::output && stated != nullptr) return add_wanted(tensor, layout, *stated);
    ScheduledTensor& stored = store(tensor.name, tensor, role, layout);
    if (role == BufferRole::temporary && !is_one_to_one(layout))
      stored.outside = TRY(outside_of(tensor, plan_));
    return {};
  }

  // Adds storage for the tensor's elements under this name.
  ScheduledTensor& store(const std::string& name, const Tensor& tensor, BufferRole role,
                         const Layout& layout) {
    layouts_[name] = layout;
    return schedule_.tensors.emplace_back(
        ScheduledTensor{name, tensor.name, tensor.type, role, layout});
  }

  // The stage that copies the tensor to `copy`; both are stored already.
  Stage copying(const Tensor& tensor, const std::string& copy, double outside) const {
    return build_stage(copy, copy_computation(tensor, copy, outside), layouts_, zero_beyond());
  }

  ZeroBeyond zero_beyond() const {
    return [this](const std::string& tensor, size_t dim) {
      return is_zero_beyond(plan_, tensor, dim);
    };
  }

  // Adds an activation in the trace's layout: it arrives in it, or a copy is made. Without a border
  // it arrives in it, except for padding and unfolding.
  Result<void> add_given(const Tensor& tensor, const Layout& layout, const BorderTensor* stated) {
    const bool expands = !is_one_to_one(layout);
    const double outside = expands ? TRY(outside_of(tensor, plan_)).value_or(0) : 0;
    const bool is_given = stated == nullptr ? !expands : is_as_stated(layout, *stated, outside);
    const Layout given = is_given            ? layout
                         : stated == nullptr ? without_expansion(layout)
                                             : layout_of(stated->layout, tensor.dims);
    TRY(check_scope(tensor, given, target_));
    if (!is_given && is_read_as_given(tensor, layout, given)) {
      ScheduledTensor& stored = store(tensor.name, tensor, BufferRole::activation, given);
      if (!expands) stored.copied_as = layout;
      return {};
    }
    if (!is_given && !expands) return add_converted(tensor, given);
    store(tensor.name, tensor, BufferRole::activation, given);
    if (!is_given) add_padded(tensor, layout, outside);
    return {};
  }

  // Whether `stored` is the layout without its padding, and work-items may compare for it.
  bool is_cropped(const Layout& layout, const Layout& stored) const {
    if (runs_threads(target_)) return false;
    const std::optional<Layout> without = cropped(layout);
    return without && normal_form(*without) == normal_form(stored);
  }

  // Whether a device's kernel may read the tensor as it arrives, without a copy in the trace's
  // layout: an epilogue compares where padding would be, and fills of local memory read anything.
  bool is_read_as_given(const Tensor& tensor, const Layout& layout, const Layout& given) const {
    if (is_cropped(layout, given) && only_result_reader(tensor, plan_) != nullptr) return true;
    return is_one_to_one(layout) && is_one_to_one(given) && layout.scope == MemoryScope::global &&
           given.scope == MemoryScope::global && is_copied_to_local(trace_, tensor.name);
  }

  bool is_read(const std::string& tensor) const {
    return std::ranges::any_of(plan_, [&](const PlannedStage& stage) {
      return std::ranges::find(stage.computation.reads, tensor, &Access::tensor) !=
             stage.computation.reads.end();
    });
  }

  // Redirects readers to a copy: X.pad of X.
  void add_padded(const Tensor& tensor, const Layout& layout, double outside) {
    const std::string copy = tensor.name + ".pad";
    store(copy, tensor, BufferRole::temporary, layout);
    schedule_.stages.push_back(copying(tensor, copy, outside));
    for (PlannedStage& planned : plan_) rename_tensor(planned.computation, tensor.name, copy);
  }

  // The trace's X becomes a copy of the tensor that arrives, X.given, so that a trace means the
  // same loops with any border.
  Result<void> add_converted(const Tensor& tensor, const Layout& given) {
    Tensor outer = tensor;
    outer.name = tensor.name + ".given";
    store(outer.name, tensor, BufferRole::activation, given);
    store(tensor.name, tensor, BufferRole::temporary, layouts_.at(tensor.name));
    schedule_.stages.push_back(copying(outer, tensor.name, 0));
    return {};
  }

  // Adds an output in the border's layout: it is stored in it, or converted at the end, Y to
  // Y.wanted.
  Result<void> add_wanted(const Tensor& tensor, const Layout& layout, const BorderTensor& stated) {
    if (normal_form(layout) == stated.layout) {
      store(tensor.name, tensor, BufferRole::output, layout).outside = stated.outside;
      return {};
    }
    if (!is_read(tensor.name) && is_cropped(layout, layout_of(stated.layout, tensor.dims))) {
      store(tensor.name, tensor, BufferRole::output, layout).crops = true;
      return {};
    }
    store(tensor.name, tensor, BufferRole::temporary, layout);
    const std::string outer = tensor.name + ".wanted";
    const Layout wanted = layout_of(stated.layout, tensor.dims);
    TRY(check_scope(tensor, wanted, target_));
    store(outer, tensor, BufferRole::output, wanted);
    wanted_.push_back(copying(tensor, outer, stated.outside.value_or(0)));
    return {};
  }

  const Trace& trace_;
  std::vector<PlannedStage> plan_;
  const Border& border_;
  const Target& target_;
  Guests guests_;
  Schedule schedule_;
  std::vector<Stage> wanted_;  // conversions of outputs, last of all
  std::map<std::string, Layout> layouts_;
};

}  // namespace

Result<Schedule> with_layouts(const Trace& trace, const Region& region, const Border& border,
                              const Target& target) {
  return Scheduler(trace, TRY(plan_stages(region, trace.algorithm)), border, target)
      .schedule(region.anchor);
}

}  // namespace dovetail
