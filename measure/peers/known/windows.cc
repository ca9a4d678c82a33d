// SPDX-License-Identifier: Apache-2.0
//
// Forms with one read, whose index determines the role of each dimension of the tensor.
//
//     X[n, c, 2*h + r - 1, …]     n, c kept; h pooled: stride 2, window r, one before
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "measure/peers/known/forms.h"

namespace dovetail::known {
namespace {

// One dimension of the tensor that is read: stride * output + dilation * tap - before.
struct ReadDimension {
  int64_t extent = 1;
  std::optional<size_t> output = {};  // axis of the output
  std::optional<size_t> tap = {};     // reduced axis of the computation
  int64_t stride = 1, dilation = 1, before = 0;

  bool is_plain() const {
    return output.has_value() != tap.has_value() && stride == 1 && dilation == 1 && before == 0;
  }
};

// A computation that reads one tensor, once, and reduces or copies exactly that value.
struct OneRead {
  const Computation* c = nullptr;
  std::vector<ReadDimension> dimensions;
  size_t num_outputs = 0;

  int64_t extent(size_t axis) const { return c->axes[axis].extent; }
};

std::optional<ReadDimension> dimension_of(const IndexExpr& index, const Computation& c) {
  ReadDimension dimension{.before = -index.constant()};
  if (index.is_constant()) return dimension;
  for (const IndexTerm& term : index.terms()) {
    const auto axis = std::ranges::find(c.axes, term.atom.variable, &Axis::name);
    if (term.atom.kind != IndexAtom::Kind::variable || axis == c.axes.end() || term.coefficient < 1)
      return std::nullopt;
    std::optional<size_t>& place = axis->reduction ? dimension.tap : dimension.output;
    if (place) return std::nullopt;
    place = static_cast<size_t>(axis - c.axes.begin());
    (axis->reduction ? dimension.dilation : dimension.stride) = term.coefficient;
  }
  return dimension;
}

std::optional<OneRead> one_read(const Region& region) {
  if (region.computations.size() != 1) return std::nullopt;
  const Computation& c = region.computations.front().computation;
  const auto* read = c.element.as<ReadOf>();
  if (c.reads.size() != 1 || read == nullptr || !c.chosen.empty() ||
      !c.reads.front().conditions.empty())
    return std::nullopt;
  OneRead found{.c = &c, .dimensions = {}, .num_outputs = c.output.indices.size()};
  const Access& access = c.reads.front();
  const std::vector<int64_t> shape = shape_of(tensor_named(c, access.tensor));
  for (size_t i = 0; i < shape.size(); ++i) {
    auto dimension = dimension_of(access.indices[i], c);
    if (!dimension) return std::nullopt;
    dimension->extent = shape[i];
    found.dimensions.push_back(*dimension);
  }
  return found;
}

// The constant that the reduced value is divided by, or 1; nothing for any other result.
std::optional<double> divisor_of(const Computation& c) {
  if (c.result.as<Reduced>() != nullptr) return 1;
  const auto* quotient = c.result.as<Binary>();
  if (quotient == nullptr || quotient->op != BinaryOp::div ||
      quotient->left.as<Reduced>() == nullptr || quotient->right.as<Constant>() == nullptr)
    return std::nullopt;
  return quotient->right.as<Constant>()->value;
}

double num_taps(const Computation& c) {
  double taps = 1;
  for (const Axis& axis : c.axes)
    if (axis.reduction) taps *= static_cast<double>(axis.extent);
  return taps;
}

// The reduced axes, if each axis is either kept, in order, or reduced over its whole extent; other
// axes of the output must have extent 1.
std::optional<std::vector<int64_t>> reduced_axes(const OneRead& read) {
  std::vector<int64_t> axes;
  std::vector<bool> is_read(read.num_outputs, false);
  size_t next = 0;
  for (size_t i = 0; i < read.dimensions.size(); ++i) {
    const ReadDimension& dimension = read.dimensions[i];
    if (!dimension.is_plain()) return std::nullopt;
    const size_t axis = dimension.tap ? *dimension.tap : *dimension.output;
    if (read.extent(axis) != dimension.extent) return std::nullopt;
    if (dimension.tap) {
      axes.push_back(static_cast<int64_t>(i));
      continue;
    }
    if (axis < next) return std::nullopt;
    next = axis + 1;
    is_read[axis] = true;
  }
  for (size_t axis = 0; axis < read.num_outputs; ++axis)
    if (!is_read[axis] && read.extent(axis) != 1) return std::nullopt;
  return axes;
}

std::vector<int64_t> shape_of(const OneRead& read) {
  std::vector<int64_t> shape;
  for (const ReadDimension& dimension : read.dimensions) shape.push_back(dimension.extent);
  return shape;
}

std::optional<Reduction::Kind> reduction_kind(const Computation& c) {
  const auto divisor = divisor_of(c);
  if (!divisor) return std::nullopt;
  if (c.reducer == Reducer::sum && *divisor == num_taps(c)) return Reduction::Kind::mean;
  if (*divisor != 1) return std::nullopt;
  if (c.reducer == Reducer::sum) return Reduction::Kind::sum;
  if (c.reducer == Reducer::max) return Reduction::Kind::max;
  if (c.reducer == Reducer::min) return Reduction::Kind::min;
  return std::nullopt;
}

std::optional<Pooling::Kind> pooling_kind(const Computation& c) {
  const auto kind = reduction_kind(c);
  if (kind == Reduction::Kind::max) return Pooling::Kind::max;
  if (kind == Reduction::Kind::mean) return Pooling::Kind::average;
  return std::nullopt;
}

// Nothing unless the number of windows, rounded down as in libraries, is the output's extent.
std::optional<PooledAxis> pooled_axis(const ReadDimension& dimension, const OneRead& read) {
  if (!dimension.output || dimension.before < 0) return std::nullopt;
  PooledAxis axis{.extent = dimension.extent,
                  .window = dimension.tap ? read.extent(*dimension.tap) : 1,
                  .stride = dimension.stride,
                  .dilation = dimension.dilation,
                  .before = dimension.before,
                  .outputs = read.extent(*dimension.output)};
  const int64_t reach = axis.dilation * (axis.window - 1) + 1;
  const int64_t read_up_to = axis.stride * (axis.outputs - 1) - axis.before + reach;
  axis.after = std::max<int64_t>(0, read_up_to - axis.extent);
  const int64_t windows = (axis.extent + axis.before + axis.after - reach) / axis.stride + 1;
  if (windows != axis.outputs || axis.before >= reach || axis.after >= reach) return std::nullopt;
  return axis;
}

}  // namespace

std::optional<Reduction> reduction(const Region& region) {
  const auto read = one_read(region);
  if (!read) return std::nullopt;
  const auto kind = reduction_kind(*read->c);
  auto axes = reduced_axes(*read);
  if (!kind || !axes || axes->empty()) return std::nullopt;
  return Reduction{.kind = *kind,
                   .input = read->c->reads.front().tensor,
                   .shape = shape_of(*read),
                   .axes = *std::move(axes)};
}

std::optional<Pooling> pooling(const Region& region) {
  constexpr size_t kMostAxes = 3;
  const auto read = one_read(region);
  if (!read) return std::nullopt;
  const auto kind = pooling_kind(*read->c);
  const auto windowed = std::ranges::find_if(
      read->dimensions, [](const ReadDimension& dimension) { return dimension.tap.has_value(); });
  const auto first = static_cast<size_t>(windowed - read->dimensions.begin());
  const size_t rank = read->dimensions.size();
  if (!kind || first == 0 || first == rank || rank - first > kMostAxes || rank != read->num_outputs)
    return std::nullopt;
  Pooling found{.kind = *kind, .input = read->c->reads.front().tensor, .axes = {}};
  bool is_padded = false;
  for (size_t i = 0; i < rank; ++i) {
    const ReadDimension& dimension = read->dimensions[i];
    const auto axis = pooled_axis(dimension, *read);
    if (!axis || *dimension.output != i) return std::nullopt;
    is_padded |= axis->before > 0 || axis->after > 0;
    if (i >= first) found.axes.push_back(*axis);
    if (i < first && (!dimension.is_plain() || axis->outputs != axis->extent)) return std::nullopt;
    if (i < first) (i + 1 == first ? found.c : found.n) *= axis->extent;
  }
  const double outside = *kind == Pooling::Kind::max ? -std::numeric_limits<double>::infinity() : 0;
  if (is_padded && read->c->reads.front().outside != outside) return std::nullopt;
  return found;
}

std::optional<Permutation> permutation(const Region& region) {
  const auto read = one_read(region);
  if (!read || read->c->reducer != Reducer::none || read->dimensions.size() != read->num_outputs)
    return std::nullopt;
  Permutation found{.input = read->c->reads.front().tensor,
                    .shape = shape_of(*read),
                    .order = std::vector<int64_t>(read->num_outputs, -1)};
  for (size_t i = 0; i < read->dimensions.size(); ++i) {
    const ReadDimension& dimension = read->dimensions[i];
    if (!dimension.is_plain() || dimension.tap ||
        read->extent(*dimension.output) != dimension.extent)
      return std::nullopt;
    found.order[*dimension.output] = static_cast<int64_t>(i);
  }
  if (std::ranges::find(found.order, -1) != found.order.end()) return std::nullopt;
  return found;
}

}  // namespace dovetail::known
