// SPDX-License-Identifier: Apache-2.0
#include "core/ir/operator/written_sum.h"

#include <algorithm>
#include <set>

#include "core/base/fail.h"

namespace dovetail {
namespace {

constexpr int64_t kMostAxes = 12;
constexpr int64_t kMostCounted = int64_t{1} << 22;  // largest range of an index that is counted

const WrittenSum::Axis* find_axis(const WrittenSum& sum, std::string_view name) {
  const auto it = std::ranges::find(sum.axes, name, &WrittenSum::Axis::name);
  return it == sum.axes.end() ? nullptr : &*it;
}

bool mentions(const std::vector<IndexExpr>& indices, const std::string& axis) {
  return std::ranges::any_of(indices, [&](const IndexExpr& e) { return e.mentions(axis); });
}

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

std::string print_access(std::string_view tensor, const std::vector<IndexExpr>& indices) {
  std::string text(tensor);
  for (size_t j = 0; j < indices.size(); ++j)
    text += (j == 0 ? "[" : ",") + without_spaces(print(indices[j]));
  return text + (indices.empty() ? "[]" : "]");
}

Result<void> check_indices(const WrittenSum& sum, std::string_view tensor,
                           const std::vector<IndexExpr>& indices) {
  std::set<std::string> seen;
  for (const IndexExpr& index : indices) {
    const std::string text = without_spaces(print(index));
    if (!index.is_affine())
      return fail("index {} of {} divides; expected a sum of axes", text, tensor);
    for (const std::string& axis : index.variables()) {
      if (find_axis(sum, axis) == nullptr)
        return fail("axis {} of {} has no extent; expected {}=… behind the colon", axis, tensor,
                    axis);
      if (!seen.insert(axis).second)
        return fail("axis {} is in two indices of {}; expected it in one", axis, tensor);
    }
  }
  return {};
}

Result<void> check_axes(const WrittenSum& sum) {
  if (static_cast<int64_t>(sum.axes.size()) > kMostAxes)
    return fail("has {} axes; expected at most {}", sum.axes.size(), kMostAxes);
  for (size_t a = 0; a < sum.axes.size(); ++a) {
    const auto& [name, extent] = sum.axes[a];
    constexpr int64_t kMostElements = int64_t{1} << 31;
    if (extent < 1 || extent >= kMostElements)
      return fail("axis {} has extent {}; expected 1 to 2^31 - 1", name, extent);
    if (!mentions(sum.input, name) && !mentions(sum.weight, name))
      return fail("axis {} is in neither factor; expected it in X or W", name);
    if (find_axis(sum, name) != &sum.axes[a])
      return fail("axis {} is in two indices of the output; expected it in one", name);
  }
  return {};
}

// Only X may be read outside its shape; W may not.
Result<void> check_shapes(const WrittenSum& sum) {
  const Ranges ranges = axis_ranges(sum);
  if (sum.input_shape.size() != sum.input.size())
    return fail("X has {} extents; expected {}, one for each index", sum.input_shape.size(),
                sum.input.size());
  if (sum.weight_shape.size() != sum.weight.size())
    return fail("W has {} extents; expected {}, one for each index", sum.weight_shape.size(),
                sum.weight.size());
  for (const int64_t extent : sum.input_shape)
    if (extent < 1) return fail("X has an extent of {}; expected at least 1", extent);
  for (size_t j = 0; j < sum.weight.size(); ++j) {
    const Range reached = range_of(sum.weight[j], ranges);
    if (reached.min >= 0 && reached.max < sum.weight_shape[j]) continue;
    return fail(
        "index {} of W runs from {} to {}; expected it inside 0..{}, only X is "
        "zero outside",
        without_spaces(print(sum.weight[j])), reached.min, reached.max, sum.weight_shape[j] - 1);
  }
  return {};
}

// The number of occurrences of each value of an affine index, from the least value on.
std::vector<double> histogram(const IndexExpr& index, const Ranges& ranges) {
  std::vector<double> counts = {1};
  for (const IndexTerm& term : index.terms()) {
    const int64_t steps = ranges.find(term.atom.variable)->second.max;
    const int64_t step = std::abs(term.coefficient);
    std::vector<double> next(counts.size() + static_cast<size_t>(steps * step));
    for (int64_t k = 0; k <= steps; ++k)
      for (size_t v = 0; v < counts.size(); ++v)
        next[v + static_cast<size_t>(k * step)] += counts[v];
    counts = std::move(next);
  }
  return counts;
}

// The share of the iterations in which the index is inside 0..extent-1.
double share_inside(const IndexExpr& index, int64_t extent, const Ranges& ranges) {
  const Range reached = range_of(index, ranges);
  if (reached.min >= 0 && reached.max < extent) return 1;
  if (reached.max - reached.min > kMostCounted) return 1;  // an upper bound
  const std::vector<double> counts = histogram(index, ranges);
  double inside = 0, all = 0;
  for (size_t v = 0; v < counts.size(); ++v) {
    const int64_t value = reached.min + static_cast<int64_t>(v);
    all += counts[v];
    if (value >= 0 && value < extent) inside += counts[v];
  }
  return inside / all;
}

}  // namespace

Result<void> check_written_sum(const WrittenSum& sum) {
  TRY(check_axes(sum));
  TRY(check_indices(sum, "X", sum.input));
  TRY(check_indices(sum, "W", sum.weight));
  return check_shapes(sum);
}

std::string print(const WrittenSum& sum) {
  std::vector<IndexExpr> output;
  for (size_t a = 0; a < sum.num_output_axes; ++a)
    output.push_back(IndexExpr::variable(sum.axes[a].name));
  std::string text = print_access("Y", output) + "+=" + print_access("X", sum.input) + "*" +
                     print_access("W", sum.weight);
  char separator = ':';
  const auto add = [&](const std::string& key, const std::string& value) {
    text += separator + key + "=" + value;
    separator = ',';
  };
  for (const auto& [name, extent] : sum.axes) add(name, std::to_string(extent));
  const Ranges ranges = axis_ranges(sum);
  if (sum.input_shape != shape_read(sum.input, ranges))
    add("X", fmt::format("{}", fmt::join(sum.input_shape, "x")));
  if (sum.weight_shape != shape_read(sum.weight, ranges))
    add("W", fmt::format("{}", fmt::join(sum.weight_shape, "x")));
  if (!sum.weight_is_constant) add("b_const", "0");
  return text;
}

std::vector<int64_t> shape_read(const std::vector<IndexExpr>& indices, const Ranges& ranges) {
  std::vector<int64_t> shape;
  for (const IndexExpr& index : indices)
    shape.push_back(std::max<int64_t>(1, range_of(index, ranges).max + 1));
  return shape;
}

std::vector<int64_t> output_shape(const WrittenSum& sum) {
  std::vector<int64_t> shape;
  for (size_t a = 0; a < sum.num_output_axes; ++a) shape.push_back(sum.axes[a].extent);
  return shape;
}

int bias_axis(const WrittenSum& sum) {
  for (size_t a = 0; a < sum.num_output_axes; ++a) {
    const std::string& name = sum.axes[a].name;
    if (mentions(sum.weight, name) && !mentions(sum.input, name)) return static_cast<int>(a);
  }
  return -1;
}

Ranges axis_ranges(const WrittenSum& sum) {
  Ranges ranges;
  for (const auto& [name, extent] : sum.axes) ranges[name] = {0, extent - 1};
  return ranges;
}

double num_products(const WrittenSum& sum) {
  double count = 1;
  for (const WrittenSum::Axis& axis : sum.axes) count *= static_cast<double>(axis.extent);
  return count;
}

// Each axis is in only one index of X, so the shares of its indices are independent.
double num_real_products(const WrittenSum& sum) {
  double count = num_products(sum);
  const Ranges ranges = axis_ranges(sum);
  for (size_t j = 0; j < sum.input.size(); ++j)
    count *= share_inside(sum.input[j], sum.input_shape[j], ranges);
  return count;
}

}  // namespace dovetail
