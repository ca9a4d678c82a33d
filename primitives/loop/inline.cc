// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/inline.h"

#include <algorithm>

#include "core/ir/value/walk.h"
#include "primitives/copy.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

using AxisIndices = std::map<std::string, IndexExpr, std::less<>>;

// The axes of what is inlined, at the element that `read` means.
AxisIndices axes_at(const Access& read, const Computation& inlined) {
  AxisIndices values;
  for (size_t j = 0; j < read.indices.size(); ++j)
    values.emplace(inlined.output.indices[j].terms()[0].atom.variable, read.indices[j]);
  return values;
}

Access at_axes(Access access, const AxisIndices& values, const Ranges& ranges) {
  for (IndexExpr& index : access.indices) index = substitute(index, values, ranges);
  for (Bound& bound : access.conditions) bound.expr = substitute(bound.expr, values, ranges);
  return access;
}

// Where the element that is read exists; bounds that always hold are left out.
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

// Replaces reads of what another computation makes by what that one computes.
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
    for (ChosenIndex& index : result.chosen) index.value = with_values(index.value);
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
    const AxisIndices at = axes_at(read, inlined_);
    if (is_copy(inlined_) && inlined_.reads[0].outside == read.outside) {
      Access composed = at_axes(inlined_.reads[0], at, ranges_);
      composed.conditions.insert(composed.conditions.end(), read.conditions.begin(),
                                 read.conditions.end());
      values_.push_back(read_of(reads.size()));
      reads.push_back(std::move(composed));
      return;
    }
    const size_t first = reads.size();
    for (const Access& own : inlined_.reads) reads.push_back(at_axes(own, at, ranges_));
    Value value = rebuilt(inlined_.element, [&](const Value& node) -> std::optional<Value> {
      if (const auto* own = node.as<ReadOf>())
        return read_of(first + static_cast<size_t>(own->position));
      return with_indices(node, [&](const IndexExpr& e) { return substitute(e, at, ranges_); });
    });
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
  std::vector<Value> values_;  // of the reader's reads, by their old positions
};

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
  if (inlined.reducer != Reducer::none || !inlined.chosen.empty()) {
    return refuse(what, "stage {} {}, expected an element computed from reads alone", stage,
                  inlined.chosen.empty() ? "reduces" : "reads where data say");
  }
  Schedule result = schedule;
  for (Stage& reader : result.stages) {
    if (is_reader(reader)) reader.computation = Inlining(reader.computation, inlined).run();
  }
  std::erase_if(result.tensors, [&](const ScheduledTensor& tensor) {
    return tensor.name == gone->computation.output.tensor;
  });
  std::erase_if(result.stages, [&](const Stage& s) { return s.name == stage; });
  return result;
}

}  // namespace dovetail
