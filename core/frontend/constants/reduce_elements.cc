// SPDX-License-Identifier: Apache-2.0
// The rule of reductions over axes: sums, products, extrema and means.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/frontend/constants/constant_rules.h"
#include "core/frontend/constants/element_order.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::constant_rules {
namespace {

struct Reducer {
  std::string_view type;
  double first;  // initial value
  double (*join)(double, double);
};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Reducer kReducers[] = {
    {"ReduceMax", -kInfinity, [](double a, double b) { return std::max(a, b); }},
    {"ReduceMean", 0, [](double a, double b) { return a + b; }},
    {"ReduceMin", kInfinity, [](double a, double b) { return std::min(a, b); }},
    {"ReduceProd", 1, [](double a, double b) { return a * b; }},
    {"ReduceSum", 0, [](double a, double b) { return a + b; }},
};

constexpr double kLargestExact = 0x1p53;

// The result of a reduction of no elements.
double of_nothing(std::string_view type) {
  if (type == "ReduceMean") return std::numeric_limits<double>::quiet_NaN();
  if (type == "ReduceLogSum" || type == "ReduceLogSumExp") return -kInfinity;
  const auto* const found = std::ranges::find(kReducers, type, &Reducer::type);
  return found == std::end(kReducers) ? 0 : found->first;
}

// The results, in the type of the call's input.
ConstantOutputs stored(const ConstantCall& call, Extents shape,
                       const std::vector<double>& results) {
  const GraphTensor& data = *call.inputs[0];
  const ElementType type = data.type == ElementType::f32 ? ElementType::f32 : ElementType::i64;
  return one_output(new_constant(data.type, std::move(shape), converted(results, type)));
}

ConstantOutputs all_of_nothing(const ConstantCall& call, Extents shape) {
  const double value = of_nothing(call.node.type);
  if (call.inputs[0]->type != ElementType::f32 && !std::isfinite(value)) return std::nullopt;
  const std::vector<double> results(static_cast<size_t>(num_elements(shape)), value);
  return stored(call, std::move(shape), results);
}

}  // namespace

// Computes in double, which is exact for integers below 2^53; larger ones are left to the network.
Result<ConstantOutputs> reduce(const ConstantCall& call) {
  const GraphTensor& data = *call.inputs[0];
  const bool whole = data.type == ElementType::i64 || data.type == ElementType::i32;
  const bool mean = call.node.type == "ReduceMean";
  if ((!whole && data.type != ElementType::f32) || (whole && mean)) return ConstantOutputs();
  const auto axes = TRY(numbers_of(call, "axes", 1));
  const bool keeps = TRY(integer_attribute(call.node, "keepdims", 1)) != 0;
  const bool nothing = TRY(integer_attribute(call.node, "noop_with_empty_axes", 0)) != 0;
  const bool all = !axes || axes->empty();
  if (all && nothing) return one_output(new_constant(data.type, *data.shape, *data.data));
  std::vector<bool> gone(data.shape->size(), all);
  for (const int64_t number : all ? std::vector<int64_t>() : *axes) {
    const auto axis = axis_of(number, gone.size());
    if (!axis) return ConstantOutputs();
    gone[*axis] = true;
  }
  Extents ones = *data.shape, left;
  for (size_t axis = 0; axis < gone.size(); ++axis) {
    if (gone[axis]) ones[axis] = 1;
    if (!gone[axis] || keeps) left.push_back(ones[axis]);
  }
  if (num_elements(*data.shape) == 0) return all_of_nothing(call, std::move(left));
  const auto* const found = std::ranges::find(kReducers, call.node.type, &Reducer::type);
  if (found == std::end(kReducers)) return ConstantOutputs();
  const Reducer& reducer = *found;
  std::vector<double> results(static_cast<size_t>(num_elements(ones)), reducer.first);
  const std::vector<int64_t> targets = elements_at(*data.shape, broadcast_steps(ones, *data.shape));
  const ArrayView numbers = *data.data;
  for (size_t i = 0; i < targets.size(); ++i) {
    double& result = results[static_cast<size_t>(targets[i])];
    result = reducer.join(result, numbers.real(i));
    if (whole && !(std::abs(result) < kLargestExact)) return ConstantOutputs();
  }
  const double count = static_cast<double>(targets.size()) / static_cast<double>(results.size());
  if (mean)
    for (double& result : results) result /= count;
  return stored(call, std::move(left), results);
}

}  // namespace dovetail::constant_rules
