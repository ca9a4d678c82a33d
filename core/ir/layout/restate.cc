// SPDX-License-Identifier: Apache-2.0
#include "core/ir/layout/restate.h"

#include <algorithm>
#include <string>

#include "core/base/check.h"

namespace dovetail {
namespace {

// A digit of the row-major index of an element: it counts `extent` steps.
struct LinearDigit {
  int64_t step = 1, extent = 1;
};

std::vector<int64_t> strides_of(std::span<const int64_t> shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

// Normalises again, which merges digits of one dimension that have become adjacent.
NormalLayout normal(NormalLayout form, std::span<const int64_t> shape) {
  return normal_form(layout_of(form, numbered_dims(shape)));
}

// The form's digits as linear ones; contiguous neighbours are merged.
std::vector<LinearDigit> linear_digits(const NormalLayout& form, std::span<const int64_t> shape) {
  const std::vector<int64_t> strides = strides_of(shape);
  std::vector<LinearDigit> digits;
  for (const NormalDigit& digit : form.digits) {
    const LinearDigit next{digit.step * strides[static_cast<size_t>(digit.dim)], digit.extent};
    if (!digits.empty() && digits.back().step == next.step * next.extent)
      digits.back() = {next.step, next.extent * digits.back().extent};
    else
      digits.push_back(next);
  }
  return digits;
}

// Appends the digit as digits of the shape's dimensions, outermost first; false if it does not fit.
bool append_digits(LinearDigit digit, std::span<const int64_t> shape,
                   const std::vector<int64_t>& strides, std::vector<NormalDigit>& digits) {
  const int64_t end = digit.step * digit.extent;
  int64_t covered = end;
  for (size_t d = 0; d < shape.size(); ++d) {
    const int64_t low = std::max(digit.step, strides[d]);
    const int64_t high = std::min(end, strides[d] * shape[d]);
    if (low >= high || shape[d] == 1) continue;
    if (high != covered || high % low != 0 || low % strides[d] != 0) return false;
    digits.push_back(
        {.dim = static_cast<int>(d), .step = low / strides[d], .extent = high / low, .live = 0});
    covered = low;
  }
  return covered == digit.step;
}

}  // namespace

std::vector<LogicalDim> numbered_dims(std::span<const int64_t> shape) {
  std::vector<LogicalDim> dims;
  for (const int64_t extent : shape) dims.push_back({"d" + std::to_string(dims.size()), extent});
  return dims;
}

bool is_one_to_one(const NormalLayout& form, std::span<const int64_t> shape) {
  if (std::ranges::any_of(form.offsets, [](int64_t offset) { return offset != 0; })) return false;
  std::vector<NormalDigit> digits = form.digits;
  std::ranges::sort(digits, {}, [](const NormalDigit& d) { return std::pair(d.dim, d.step); });
  std::vector<int64_t> reached(shape.size(), 1);
  for (const NormalDigit& digit : digits) {
    if (digit.dim < 0) return false;
    int64_t& next = reached[static_cast<size_t>(digit.dim)];
    if (digit.step != next) return false;
    next *= digit.extent;
  }
  return std::ranges::equal(reached, shape);
}

std::optional<NormalLayout> without_padding(const NormalLayout& form,
                                            const std::vector<LogicalDim>& dims) {
  NormalLayout cropped{.offsets = form.offsets, .digits = {}, .scope = form.scope};
  if (std::ranges::any_of(form.offsets, [](int64_t offset) { return offset != 0; }))
    return std::nullopt;
  for (const NormalDigit& digit : form.digits) {
    if (digit.dim < 0) continue;
    const int64_t extent = dims[static_cast<size_t>(digit.dim)].extent;
    cropped.digits.push_back(digit);
    // Crops the outermost digit of a dimension to the dimension's extent.
    int64_t& count = cropped.digits.back().extent;
    if (digit.step * count <= extent) continue;
    if (extent % digit.step != 0) return std::nullopt;
    count = extent / digit.step;
  }
  const std::vector<int64_t> shape = extents_of(dims);
  if (!is_one_to_one(cropped, shape)) return std::nullopt;
  return normal(std::move(cropped), shape);
}

std::optional<NormalLayout> restated(const NormalLayout& form, std::span<const int64_t> shape,
                                     std::span<const int64_t> other) {
  CHECK(num_elements({shape.begin(), shape.end()}) == num_elements({other.begin(), other.end()}),
        "two shapes of one tensor have as many elements");
  if (num_elements({shape.begin(), shape.end()}) == 0) return row_major_form(numbered_dims(other));
  if (!is_one_to_one(form, shape)) return std::nullopt;
  const std::vector<int64_t> strides = strides_of(other);
  NormalLayout result{std::vector<int64_t>(other.size(), 0), {}, form.scope};
  for (const LinearDigit& digit : linear_digits(form, shape))
    if (!append_digits(digit, other, strides, result.digits)) return std::nullopt;
  return normal(std::move(result), other);
}

NormalLayout permuted(const NormalLayout& form, std::span<const int64_t> shape,
                      std::span<const size_t> order) {
  CHECK(order.size() == shape.size(), "a permutation names every dimension");
  NormalLayout result = form;
  std::vector<int> position(order.size(), 0);
  std::vector<int64_t> permuted_shape;
  for (size_t i = 0; i < order.size(); ++i) {
    position[order[i]] = static_cast<int>(i);
    result.offsets[i] = form.offsets[order[i]];
    permuted_shape.push_back(shape[order[i]]);
  }
  for (NormalDigit& digit : result.digits)
    if (digit.dim >= 0) digit.dim = position[static_cast<size_t>(digit.dim)];
  return normal(std::move(result), permuted_shape);
}

std::optional<NormalLayout> composed(const NormalLayout& outer, std::span<const int64_t> shape,
                                     const NormalLayout& inner,
                                     std::span<const int64_t> inner_shape) {
  std::vector<int64_t> counts;
  for (const NormalDigit& digit : outer.digits) counts.push_back(digit.extent);
  if (!is_one_to_one(outer, shape)) return std::nullopt;
  std::optional<NormalLayout> by_digit = restated(inner, inner_shape, counts);
  if (!by_digit) return std::nullopt;
  NormalLayout result{outer.offsets, {}, inner.scope};
  for (const NormalDigit& part : by_digit->digits) {
    const NormalDigit& digit = outer.digits[static_cast<size_t>(part.dim)];
    result.digits.push_back({digit.dim, digit.step * part.step, part.extent, 0});
  }
  return normal(std::move(result), shape);
}

}  // namespace dovetail
