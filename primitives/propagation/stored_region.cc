// SPDX-License-Identifier: Apache-2.0
#include "primitives/propagation/stored_region.h"

#include <algorithm>
#include <set>

#include "core/base/fail.h"
#include "core/ir/layout/restate.h"
#include "core/ir/region/normal_region.h"
#include "core/ir/value/walk.h"
#include "primitives/propagation/simple_branches.h"

namespace dovetail {
namespace {

// A digit of a dimension, in storage order; the outermost one of a dimension does not wrap.
struct StoredDigit {
  size_t dim = 0;
  int64_t step = 1, extent = 1;
  bool outermost = false;
};

std::vector<StoredDigit> digits_of(const Tensor& tensor, const StoredForms& forms,
                                   const AxisCuts& cuts) {
  std::vector<StoredDigit> digits;
  for (size_t d = 0; d < tensor.dims.size(); ++d)
    if (tensor.dims[d].extent == 1) digits.push_back({d, 1, 1, true});
  const auto found = forms.find(tensor.name);
  const NormalLayout form = found == forms.end() ? row_major_form(tensor.dims) : found->second;
  for (const NormalDigit& digit : form.digits) {
    const auto d = static_cast<size_t>(digit.dim);
    int64_t above = digit.step * digit.extent;
    for (const int64_t step : cuts.of_dim(tensor.name, d)) {
      if (step >= digit.step * digit.extent || step < digit.step) continue;
      digits.push_back({d, step, above / step, above == tensor.dims[d].extent});
      above = step;
    }
  }
  return digits;
}

using AxisValues = std::map<std::string, IndexExpr, std::less<>>;

// Rewrites one computation over the digits of its axes.
class DigitComputation {
 public:
  DigitComputation(size_t number, const Computation& computation, const StoredForms& forms,
                   const AxisCuts& cuts)
      : from_(computation), forms_(forms), cuts_(cuts) {
    for (const GatherIndex& chosen : from_.gathers) ranges_[chosen.name] = {0, chosen.extent - 1};
    for (const Axis& axis : from_.axes) cut(axis, cuts.of_axis(number, axis.name));
  }

  Result<Computation> rewritten() {
    Computation made = from_;
    made.output = TRY(rewritten(from_.output));
    for (Access& read : made.reads) read = TRY(rewritten(read));
    made.element = rewritten(from_.element);
    made.result = rewritten(from_.result);
    for (GatherIndex& chosen : made.gathers) chosen.value = rewritten(chosen.value);
    for (Tensor& tensor : made.tensors) tensor.dims = dims_of(tensor);
    made.axes = TRY(axes_of(made.output));
    return with_simple_branches(std::move(made));
  }

 private:
  void cut(const Axis& axis, const std::vector<int64_t>& steps) {
    IndexExpr value;
    int64_t above = axis.extent;
    for (size_t k = 0; k < steps.size(); ++k) {
      Axis digit = axis;
      digit.extent = above / steps[k];
      // Axes of one name have one extent in a whole region; another computation may cut finer.
      if (steps.size() > 1)
        digit.name = free_name(fmt::format("{}{}x{}", axis.name, steps[k], digit.extent));
      above = steps[k];
      value = value + IndexExpr::variable(digit.name) * steps[k];
      ranges_[digit.name] = {0, digit.extent - 1};
      axes_.push_back(std::move(digit));
    }
    values_[axis.name] = std::move(value);
  }

  std::string free_name(std::string name) const {
    const auto is_taken = [&](const std::string& n) {
      return ranges_.contains(n) ||
             std::ranges::find(from_.axes, n, &Axis::name) != from_.axes.end();
    };
    while (is_taken(name)) name += "_";
    return name;
  }

  IndexExpr rewritten(const IndexExpr& index) const { return substitute(index, values_, ranges_); }

  Value rewritten(const Value& value) const {
    return rebuilt(value, [&](const Value& node) {
      return with_indices(node, [&](const IndexExpr& e) { return std::optional(rewritten(e)); });
    });
  }

  Result<Access> rewritten(const Access& access) const {
    Access made = access;
    for (Bound& condition : made.conditions) condition.expr = rewritten(condition.expr);
    for (IndexExpr& index : made.indices) index = rewritten(index);
    if (find_table(from_, access.tensor) != nullptr) return made;
    const std::vector<IndexExpr> whole = std::move(made.indices);
    made.indices.clear();
    for (const StoredDigit& digit : digits(tensor_named(from_, access.tensor)))
      made.indices.push_back(TRY(digit_of(whole[digit.dim], digit, access)));
    return made;
  }

  Result<IndexExpr> digit_of(const IndexExpr& index, const StoredDigit& digit,
                             const Access& access) const {
    if (digit.step == 1 && digit.outermost) return index;
    IndexExpr part = floor_div(index, digit.step, ranges_);
    if (!digit.outermost) part = floor_mod(part, digit.extent, ranges_);
    if (part.is_affine()) return part;
    return fail("{}: its dimension {} is cut at {}, where {} is not", print_access(access),
                digit.dim, digit.step, print(index));
  }

  static std::string print_access(const Access& access) {
    return access.tensor + print_indices(access.indices);
  }

  std::vector<StoredDigit> digits(const Tensor& tensor) const {
    return digits_of(tensor, forms_, cuts_);
  }

  std::vector<LogicalDim> dims_of(const Tensor& tensor) const {
    std::vector<LogicalDim> dims;
    for (const StoredDigit& digit : digits(tensor))
      dims.push_back(
          {fmt::format("{}_{}", tensor.dims[digit.dim].name, dims.size()), digit.extent});
    return dims;
  }

  // Output axes are in the order of the output's dimensions.
  Result<std::vector<Axis>> axes_of(const Access& output) const {
    std::vector<Axis> axes;
    for (const IndexExpr& index : output.indices) {
      const std::vector<std::string> names = index.variables();
      if (names.size() != 1 || !(index == IndexExpr::variable(names[0])))
        return fail("{}: index {} is no axis", print_access(output), print(index));
      axes.push_back(*std::ranges::find(axes_, names[0], &Axis::name));
    }
    for (const Axis& axis : axes_)
      if (axis.reduction) axes.push_back(axis);
    return axes;
  }

  const Computation& from_;
  const StoredForms& forms_;
  const AxisCuts& cuts_;
  std::vector<Axis> axes_;
  AxisValues values_;
  Ranges ranges_;
};

// The first read of an input, and the computation that makes an output.
struct Passage {
  const Computation* reader = nullptr;
  const Access* read = nullptr;
  const Computation* maker = nullptr;

  std::vector<LogicalDim> input_dims() const { return tensor_named(*reader, read->tensor).dims; }
  std::vector<LogicalDim> output_dims() const {
    return tensor_named(*maker, maker->output.tensor).dims;
  }
};

std::optional<Passage> passage_of(const Region& region, const std::string& output,
                                  const std::string& input) {
  Passage passage;
  for (const NamedComputation& named : region.computations) {
    const Computation& computation = named.computation;
    if (computation.output.tensor == output) passage.maker = &computation;
    const auto read = std::ranges::find(computation.reads, input, &Access::tensor);
    if (passage.read != nullptr || read == computation.reads.end()) continue;
    passage.reader = &computation;
    passage.read = &*read;
  }
  if (passage.read == nullptr || passage.maker == nullptr) return std::nullopt;
  return passage;
}

// For each dimension of `from`, the dimension of `to` that shares an axis with it.
std::vector<std::optional<size_t>> matched_dims(const Access& from, const Access& to) {
  std::vector<std::optional<size_t>> matched(from.indices.size());
  for (size_t d = 0; d < from.indices.size(); ++d)
    for (size_t o = 0; o < to.indices.size() && !matched[d]; ++o)
      for (const std::string& axis : from.indices[d].variables())
        if (to.indices[o].mentions(axis)) matched[d] = o;
  return matched;
}

NormalLayout with_dims(const NormalLayout& form, const std::vector<std::optional<size_t>>& matched,
                       const std::vector<int64_t>& from, const std::vector<LogicalDim>& dims) {
  NormalLayout result{std::vector<int64_t>(dims.size(), 0), {}, form.scope};
  std::vector<bool> placed(dims.size(), false);
  std::vector<NormalDigit> inner;
  for (const NormalDigit& digit : form.digits) {
    const auto d = static_cast<size_t>(digit.dim);
    if (!matched[d]) continue;
    const size_t o = *matched[d];
    const bool whole = digit.step == 1 && digit.extent == from[d];
    NormalDigit follows = digit;
    follows.dim = static_cast<int>(o);
    // Whole dimensions, and the coarsest digits of cut ones, take the length of the other side.
    if (whole)
      follows.extent = dims[o].extent;
    else if (digit.step * digit.extent == from[d])
      follows.extent = dims[o].extent / digit.step;
    placed[o] = true;
    inner.push_back(follows);
  }
  for (size_t o = 0; o < dims.size(); ++o)
    if (!placed[o]) result.digits.push_back({static_cast<int>(o), 1, dims[o].extent, 0});
  result.digits.insert(result.digits.end(), inner.begin(), inner.end());
  return result;
}

std::optional<NormalLayout> carried(const Access& from, const std::vector<LogicalDim>& from_dims,
                                    const Access& to, const std::vector<LogicalDim>& dims,
                                    const NormalLayout& form) {
  const std::vector<int64_t> shape = extents_of(from_dims);
  if (!is_one_to_one(form, shape)) return std::nullopt;
  const auto matched = matched_dims(from, to);
  if (std::ranges::none_of(matched, [](const auto& m) { return m.has_value(); }))
    return std::nullopt;
  const NormalLayout result = with_dims(form, matched, shape, dims);
  if (!is_one_to_one(result, extents_of(dims))) return std::nullopt;
  return normal_form(layout_of(result, dims));
}

}  // namespace

Result<Region> stored_region(const Region& region, const StoredForms& forms) {
  for (const Tensor& tensor : tensors_of(region)) {
    const auto form = forms.find(tensor.name);
    if (form != forms.end() && !is_one_to_one(form->second, shape_of(tensor)))
      return fail("{} is stored as {}; expected each element once", tensor.name,
                  print(form->second, tensor.dims));
  }
  const AxisCuts cuts = TRY(AxisCuts::derive(region, forms));
  Region made{.computations = {}, .outputs = region.outputs, .anchor = {}};
  for (size_t c = 0; c < region.computations.size(); ++c) {
    const auto& [name, computation] = region.computations[c];
    made.computations.push_back(
        {name, TRY(DigitComputation(c, computation, forms, cuts).rewritten())});
  }
  return normalised(made);
}

std::optional<NormalLayout> followed_form(const Region& region, const std::string& output,
                                          const std::string& input, const NormalLayout& form) {
  const std::optional<Passage> passage = passage_of(region, output, input);
  if (!passage) return std::nullopt;
  return carried(*passage->read, passage->input_dims(), passage->maker->output,
                 passage->output_dims(), form);
}

std::optional<NormalLayout> leading_form(const Region& region, const std::string& output,
                                         const std::string& input, const NormalLayout& form) {
  const std::optional<Passage> passage = passage_of(region, output, input);
  if (!passage) return std::nullopt;
  return carried(passage->maker->output, passage->output_dims(), *passage->read,
                 passage->input_dims(), form);
}

}  // namespace dovetail
