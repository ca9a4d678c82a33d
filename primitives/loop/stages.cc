// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/stages.h"

#include <algorithm>

#include "core/ir/operator/accumulator.h"
#include "core/ir/value/walk.h"
#include "primitives/copy.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

// Values of the inlined computation's axes at the element that is read.
IndexValues axes_at(const Access& read, const Computation& inlined) {
  IndexValues values;
  for (size_t j = 0; j < read.indices.size(); ++j)
    values.emplace(inlined.output.indices[j].terms()[0].atom.variable, read.indices[j]);
  return values;
}

// Bounds within which the element that is read exists, without those that always hold.
std::vector<Bound> inside_tensor(const Access& read, const Computation& inlined,
                                 const Ranges& ranges) {
  std::vector<Bound> bounds = read.conditions;
  const Tensor& tensor = tensor_named(inlined, inlined.output.tensor);
  for (size_t j = 0; j < read.indices.size(); ++j) {
    const Range range = range_of(read.indices[j], ranges);
    if (range.min < 0 || range.max >= tensor.dims[j].extent)
      bounds.push_back({read.indices[j], 0, tensor.dims[j].extent});
  }
  return bounds;
}

// Replaces reads of another computation's output by the expression that computes it.
class Inlining {
 public:
  Inlining(const Computation& reader, const Computation& inlined)
      : reader_(reader), inlined_(inlined), ranges_(axis_ranges(reader)) {}

  Computation run() {
    Computation result = reader_;
    result.reads.clear();
    for (size_t k = 0; k < reader_.reads.size(); ++k) replace(k, result.reads);
    result.element = with_values(reader_.element);
    result.result = with_values(reader_.result);
    for (GatherIndex& index : result.gathers) index.value = with_values(index.value);
    replace_tensor(result);
    return result;
  }

 private:
  Value with_values(const Value& value) const {
    return with_reads(value, [&](int position) { return values_[static_cast<size_t>(position)]; });
  }

  void replace(size_t k, std::vector<Access>& reads) {
    const Access& read = reader_.reads[k];
    if (read.tensor != inlined_.output.tensor) {
      values_.push_back(read_of(reads.size()));
      reads.push_back(read);
      return;
    }
    const IndexValues at = axes_at(read, inlined_);
    if (is_whole_copy(inlined_) && inlined_.reads[0].outside == read.outside) {
      Access composed = substituted(inlined_.reads[0], at, ranges_);
      composed.conditions.insert(composed.conditions.end(), read.conditions.begin(),
                                 read.conditions.end());
      values_.push_back(read_of(reads.size()));
      reads.push_back(std::move(composed));
      return;
    }
    const size_t first = reads.size();
    for (const Access& own : inlined_.reads) reads.push_back(substituted(own, at, ranges_));
    Value value = rebuilt(inlined_.element, [&](const Value& node) -> std::optional<Value> {
      if (const auto* own = node.as<ReadOf>())
        return read_of(first + static_cast<size_t>(own->position));
      return with_indices(node, [&](const IndexExpr& e) { return substitute(e, at, ranges_); });
    });
    // Wraps or rounds the value as storage would have.
    const ElementType type = tensor_named(inlined_, inlined_.output.tensor).type;
    if (!is_copy(inlined_)) value = as_stored(type, std::move(value));
    values_.push_back(
        select(inside_tensor(read, inlined_, ranges_), std::move(value), read.outside));
  }

  void replace_tensor(Computation& result) const {
    std::vector<Tensor> tensors;
    for (const Tensor& tensor : reader_.tensors) {
      if (tensor.name != inlined_.output.tensor) {
        if (std::ranges::find(tensors, tensor.name, &Tensor::name) == tensors.end())
          tensors.push_back(tensor);
        continue;
      }
      for (const Tensor& own : inlined_.tensors) {
        const bool known = std::ranges::find(tensors, own.name, &Tensor::name) != tensors.end();
        if (own.name != tensor.name && !known) tensors.push_back(own);
      }
    }
    result.tensors = std::move(tensors);
  }

  const Computation& reader_;
  const Computation& inlined_;
  Ranges ranges_;
  std::vector<Value> values_;  // by the old positions of the reader's reads
};

Layout with_axis_in_front(const Layout& layout, const StageLoop& loop) {
  Layout result;
  result.logical = {{loop.name, loop.extent}};
  result.logical.insert(result.logical.end(), layout.logical.begin(), layout.logical.end());
  result.offsets = {0};
  result.offsets.insert(result.offsets.end(), layout.offsets.begin(), layout.offsets.end());
  result.axes = {{loop.name, {{0, 1, loop.extent}}}};
  for (PhysicalAxis axis : layout.axes) {
    for (Digit& digit : axis.digits) ++digit.dim;
    result.axes.push_back(std::move(axis));
  }
  return result;
}

Result<void> check(const loop::RFactor& rfactor, const Stage& stage) {
  const std::string what = print(LoopPrimitive(rfactor));
  const size_t l = TRY(require_plain_loop(what, rfactor.loop, stage));
  if (!stage.loops[l].reduction)
    return refuse(what, "loop {} is an output loop, expected a reduction", rfactor.loop);
  if (!stage.computation.tables.empty())
    return refuse(
        what, "loop {} runs over a table of coefficients, expected a sum of products of tensors",
        rfactor.loop);
  if (stage.pairs)
    return refuse(what, "the products of {} are taken by pairs, expected a sum of products",
                  stage.name);
  if (!stage.bounds.empty())
    return refuse(what,
                  "found a loop that was cut where its factor does not divide it, expected "
                  "whole loops");
  if (!stage.cached_reads.empty() || !stage.prefetches.empty())
    return refuse(what, "found cache_read or prefetch before it, expected them after it");
  if (stage.cache_write_at)
    return refuse(what, "{} is already accumulated at {}; rfactor before cache_write",
                  stage.computation.output.tensor, *stage.cache_write_at);
  return {};
}

std::vector<Axis> output_axes(const Computation& c) {
  std::vector<Axis> axes;
  for (const Axis& axis : c.axes)
    if (!axis.reduction) axes.push_back(axis);
  return axes;
}

// Reduction axes over the loops that iterate them. A digit that the output fixes is said by the
// output's axes: kh = 2*kh' + ((h + 1) mod 2), whichever loops h has.
IndexValues reductions_over_loops(const Stage& stage) {
  const Computation& c = stage.computation;
  IndexValues values;
  for (const Axis& axis : c.axes)
    if (axis.reduction) values[axis.name] = stage.axis_values.at(axis.name);
  for (const FixedDigit& fixed : fixed_digits(c)) {
    IndexExpr& value = values.at(fixed.axis);
    value = value - substitute(fixed.digit, stage.axis_values, loop_ranges(stage)) + fixed.digit;
  }
  return values;
}

// Reduction axes are replaced by the loops that iterate them.
Computation partial_sums(const Stage& stage, const StageLoop& apart, const Tensor& partial) {
  const Computation& c = stage.computation;
  const IndexValues values = reductions_over_loops(stage);
  Ranges ranges = loop_ranges(stage);
  for (const Axis& axis : c.axes) ranges[axis.name] = {0, axis.extent - 1};
  Computation result;
  result.axes = output_axes(c);
  result.axes.insert(result.axes.begin(), {apart.name, apart.extent, false});
  for (const StageLoop& loop : stage.loops)
    if (loop.reduction && loop.name != apart.name)
      result.axes.push_back({loop.name, loop.extent, true});
  for (const Access& access : element_reads(c)) {
    result.tensors.push_back(tensor_named(c, access.tensor));
    result.reads.push_back(substituted(access, values, ranges));
    std::erase_if(result.reads.back().conditions,
                  [&](const Bound& bound) { return always_holds(bound, ranges); });
  }
  result.element = c.element;
  result.reducer = c.reducer;
  result.output = {partial.name, c.output.indices};
  result.output.indices.insert(result.output.indices.begin(), IndexExpr::variable(apart.name));
  result.tensors.push_back(partial);
  return result;
}

Computation sum_of(const Computation& c, const StageLoop& apart, Tensor partial) {
  Computation result;
  result.axes = output_axes(c);
  result.axes.push_back({apart.name, apart.extent, true});
  result.reads = {{partial.name, c.output.indices}};
  result.reads[0].indices.insert(result.reads[0].indices.begin(), IndexExpr::variable(apart.name));
  result.element = read_of(0);
  result.reducer = c.reducer;
  partial.role = TensorRole::activation;
  result.tensors = {std::move(partial)};
  result.output = c.output;
  take_result(c, result);
  return result;
}

}  // namespace

Result<Schedule> apply(const loop::Inline& primitive, const Schedule& schedule,
                       const std::string& stage) {
  const std::string what = print(LoopPrimitive(primitive));
  const auto gone = std::ranges::find(schedule.stages, stage, &Stage::name);
  if (gone == schedule.stages.end()) return refuse(what, "there is no stage {}", stage);
  const Computation& inlined = gone->computation;
  const auto is_reader = [&](const Stage& s) {
    return reads_tensor(s.computation.reads, inlined.output.tensor);
  };
  if (std::ranges::none_of(schedule.stages, is_reader))
    return refuse(what, "nothing reads what stage {} makes", stage);
  if (inlined.reducer != Reducer::none || !inlined.gathers.empty()) {
    return refuse(what, "stage {} {}, expected an element computed from reads alone", stage,
                  inlined.gathers.empty() ? "reduces" : "reads where data say");
  }
  Schedule result = schedule;
  for (Stage& reader : result.stages)
    if (is_reader(reader)) reader.computation = Inlining(reader.computation, inlined).run();
  std::erase_if(result.tensors, [&](const ScheduledTensor& tensor) {
    return tensor.name == gone->computation.output.tensor;
  });
  std::erase_if(result.stages, [&](const Stage& s) { return s.name == stage; });
  return result;
}

Result<SplitReduction> split_reduction(const loop::RFactor& rfactor, const Stage& stage,
                                       const Layout& output_layout) {
  TRY(check(rfactor, stage));
  const size_t l = TRY(require_loop("rfactor", rfactor.loop, stage));
  const StageLoop apart = stage.loops[l];
  SplitReduction result;
  result.layout = with_axis_in_front(output_layout, apart);
  const std::string name = stage.computation.output.tensor + ".rf";
  const Computation& whole = stage.computation;
  const Tensor partial{name, result.layout.logical, TensorRole::output, accumulator_type(whole)};
  result.remaining = sum_of(stage.computation, apart, partial);
  Stage& sums = result.partial;
  sums.name = name;
  sums.role = StageRole::partial;
  sums.computation = partial_sums(stage, apart, partial);
  sums.loops = stage.loops;
  sums.loops[l].reduction = false;
  for (const Axis& axis : sums.computation.axes) {
    const auto value = stage.axis_values.find(axis.name);
    const bool is_loop = axis.reduction || axis.name == apart.name;
    sums.axis_values[axis.name] = is_loop ? IndexExpr::variable(axis.name) : value->second;
  }
  sums.output_indices = stage.output_indices;
  sums.output_indices.insert(sums.output_indices.begin(), IndexExpr::variable(apart.name));
  return result;
}

}  // namespace dovetail
