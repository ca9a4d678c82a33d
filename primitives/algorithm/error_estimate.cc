// SPDX-License-Identifier: Apache-2.0
#include "primitives/algorithm/error_estimate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/check.h"
#include "primitives/algorithm/winograd.h"

namespace dovetail {
namespace {

constexpr double kUnitRoundoff = 0x1p-24;

// Sum of squares and count of finite numbers.
struct Squares {
  double sum = 0;
  int64_t count = 0;
  void add(double number) {
    if (!std::isfinite(number)) return;
    sum += number * number;
    ++count;
  }
  double root_of_mean() const {
    return count == 0 ? 0 : std::sqrt(sum / static_cast<double>(count));
  }
};

bool is_constant(const Computation& computation, const Access& read) {
  return tensor_named(computation, read.tensor).role == TensorRole::constant;
}

const Access* constant_read(const Computation& computation) {
  if (!product_operands(computation)) return nullptr;
  for (const Access& read : element_reads(computation))
    if (is_constant(computation, read)) return &read;
  return nullptr;
}

// Whether a reduction slides: one index of the activation has both it and an output axis.
bool is_window(const Computation& computation, const Axis& axis) {
  if (!axis.reduction) return false;
  const auto slides = [&](const IndexExpr& index) {
    return index.mentions(axis.name) &&
           std::ranges::any_of(computation.axes, [&](const Axis& other) {
             return !other.reduction && index.mentions(other.name);
           });
  };
  return std::ranges::any_of(element_reads(computation), [&](const Access& read) {
    return !is_constant(computation, read) && std::ranges::any_of(read.indices, slides);
  });
}

// Columns of constants: those that differ in reduced dimensions alone are summed into one output.
class Columns {
 public:
  Columns(const Computation& computation, const Access& read) {
    const std::vector<int64_t> shape = shape_of(tensor_named(computation, read.tensor));
    for (size_t d = shape.size(); d-- > 0;) {
      const auto extent = static_cast<size_t>(shape[d]);
      const bool is_reduced = std::ranges::any_of(computation.axes, [&](const Axis& axis) {
        return axis.reduction && read.indices[d].mentions(axis.name);
      });
      if (!is_reduced) {
        dims_.push_back({elements_, extent, count_});
        count_ *= extent;
      }
      elements_ *= extent;
    }
  }

  size_t elements() const { return elements_; }
  size_t count() const { return count_; }
  size_t column_of(size_t element) const {
    size_t column = 0;
    for (const Dim& dim : dims_) column += element / dim.stride % dim.extent * dim.column_stride;
    return column;
  }

 private:
  struct Dim {
    size_t stride, extent, column_stride;
  };
  std::vector<Dim> dims_;  // dimensions that are not reduced
  size_t elements_ = 1, count_ = 1;
};

struct Extents {
  double products = 1;  // terms of a sum
  double channels = 1;  // terms of a sum at one place of the windows
  int windows = 0;      // window axes
};

Extents extents_of(const Computation& computation) {
  Extents extents;
  for (const Axis& axis : computation.axes) {
    if (!axis.reduction) continue;
    const auto extent = static_cast<double>(axis.extent);
    extents.products *= extent;
    if (is_window(computation, axis))
      ++extents.windows;
    else
      extents.channels *= extent;
  }
  return extents;
}

double error_of(const algorithm::Winograd& winograd, const Extents& extents,
                const OperandSizes& sizes) {
  constexpr double kLargestOverMean = 0.5;
  return kLargestOverMean * kUnitRoundoff *
         std::pow(amplification(winograd.tile), extents.windows) * std::sqrt(extents.channels) *
         sizes.activation_rms * sizes.column_norm;
}

double error_of(const algorithm::WinogradInnerProduct& pairs, const Extents& extents,
                const OperandSizes& sizes) {
  const auto scale = static_cast<double>(pairs.scale);
  const double stored = scale * sizes.constant_rms;
  const double squares = sizes.activation_rms * sizes.activation_rms + stored * stored;
  const double pairs_of_sum = extents.products / static_cast<double>(pairs.of);
  const double common = pairs.signs == 2 ? 0 : sizes.activation_mean * sizes.activation_mean;
  const double added = pairs_of_sum * common + 2 * std::sqrt(pairs_of_sum) * squares;
  return kUnitRoundoff * std::sqrt(extents.products) * added / scale;
}

double error_of_definition(const Extents& extents, const OperandSizes& sizes) {
  constexpr double kLargestOverMean = 2;
  return kLargestOverMean * kUnitRoundoff * std::sqrt(extents.products) * sizes.activation_rms *
         sizes.column_norm;
}

// Digits that neither part of a factor has are left out, and the product of both remainders.
double error_of(const algorithm::SplitFactors& /*split*/, const Extents& extents,
                const OperandSizes& sizes) {
  constexpr double kLeftOut = 0x1p-22;
  return error_of_definition(extents, sizes) +
         kLeftOut * std::sqrt(extents.products) * sizes.activation_rms * sizes.column_norm;
}

}  // namespace

void take_activations(const ArrayView& numbers, OperandSizes& sizes) {
  Squares squares;
  double sum = 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const double number = numbers.real(i);
    squares.add(number);
    if (std::isfinite(number)) sum += number;
  }
  sizes.activation_rms = squares.root_of_mean();
  if (squares.count > 0) sizes.activation_mean = std::abs(sum / static_cast<double>(squares.count));
}

std::optional<ProductOperands> product_operands(const Computation& computation) {
  const std::span<const Access> reads = element_reads(computation);
  if (!is_product_sum(computation) || reads.size() != 2) return std::nullopt;
  const bool first = is_constant(computation, reads[0]),
             second = is_constant(computation, reads[1]);
  if (first == second) return std::nullopt;
  return ProductOperands{.activation = reads[first ? 1 : 0].tensor,
                         .constant = reads[first ? 0 : 1].tensor};
}

OperandSizes sizes_of_constants(const Computation& computation, const ArrayView& constants) {
  const Access* read = constant_read(computation);
  CHECK(read != nullptr, "the sizes of constants that a sum of products has");
  const Columns columns(computation, *read);
  CHECK(columns.elements() == constants.size(), "all constants of the tensor");
  std::vector<Squares> of_column(columns.count());
  Squares all;
  for (size_t i = 0; i < constants.size(); ++i) {
    const double constant = constants.real(i);
    of_column[columns.column_of(i)].add(constant);
    all.add(constant);
  }
  double largest = 0;
  for (const Squares& column : of_column) largest = std::max(largest, column.sum);
  return {.constant_rms = all.root_of_mean(), .column_norm = std::sqrt(largest)};
}

std::optional<double> estimated_error(const Computation& computation,
                                      const std::optional<Algorithm>& algorithm,
                                      const OperandSizes& sizes) {
  if (!product_operands(computation)) return std::nullopt;
  const Extents extents = extents_of(computation);
  if (!algorithm) return error_of_definition(extents, sizes);
  return std::visit([&](const auto& one) { return error_of(one, extents, sizes); }, *algorithm);
}

}  // namespace dovetail
