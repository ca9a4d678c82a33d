// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/tensor_cores/warp_product.h"

#include <algorithm>

namespace dovetail::tensor_cores {
namespace {

// The sizes of mma.m16n8k16, of which wgmma's are multiples.
constexpr int64_t kRows = 16, kColumns = 8, kTerms = 16;

// Names of the axes that index a tensor; nullopt where an index is more than an axis.
std::optional<std::vector<std::string>> plain_axes(const Access& access) {
  if (!access.conditions.empty()) return std::nullopt;
  std::vector<std::string> axes;
  for (const IndexExpr& index : access.indices) {
    const std::vector<std::string> variables = index.variables();
    if (variables.size() != 1 || index != IndexExpr::variable(variables[0])) return std::nullopt;
    axes.push_back(variables[0]);
  }
  return axes;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_product_of_halves(const Computation& c) {
  const std::span<const Access> reads = element_reads(c);
  if (!is_product_sum(c) || reads.size() != 2 || !c.tables.empty() || !c.gathers.empty())
    return false;
  const auto* product = c.element.as<Binary>();
  const bool is_plain = product != nullptr && product->op == BinaryOp::mul &&
                        product->left.as<ReadOf>() != nullptr &&
                        product->right.as<ReadOf>() != nullptr;
  const ElementType type = tensor_named(c, reads[0].tensor).type;
  return is_plain && is_half(type) && tensor_named(c, reads[1].tensor).type == type &&
         std::ranges::count(c.axes, true, &Axis::reduction) == 1;
}

// The axis of the output that `own` has, `other` has not, and `unit` divides; the innermost one, so
// that neighbours lie together.
std::optional<Axis> divisible_axis(const Computation& c, const std::vector<std::string>& own,
                                   const std::vector<std::string>& other, int64_t unit) {
  std::optional<Axis> found;
  for (const Axis& axis : c.axes) {
    const bool fits =
        !axis.reduction && axis.extent % unit == 0 && has(own, axis.name) && !has(other, axis.name);
    if (fits) found = axis;
  }
  return found;
}

// With the first tensor's axis as rows.
std::optional<WarpProduct> with_rows_of(const Computation& c, const Access& first,
                                        const Access& second) {
  const auto of_rows = plain_axes(first), of_columns = plain_axes(second),
             of_output = plain_axes(c.output);
  if (!of_rows || !of_columns || !of_output) return std::nullopt;
  const auto rows = divisible_axis(c, *of_rows, *of_columns, kRows);
  const auto columns = divisible_axis(c, *of_columns, *of_rows, kColumns);
  const Axis reduction = *std::ranges::find(c.axes, true, &Axis::reduction);
  if (!rows || !columns || reduction.extent % kTerms != 0) return std::nullopt;
  if (!has(*of_rows, reduction.name) || !has(*of_columns, reduction.name)) return std::nullopt;
  WarpProduct product{.rows = *rows,
                      .columns = *columns,
                      .reduction = reduction,
                      .outer = {},
                      .by_rows = first.tensor,
                      .by_columns = second.tensor,
                      .output = c.output.tensor,
                      .by_rows_dims = *of_rows,
                      .by_columns_dims = *of_columns,
                      .output_dims = *of_output,
                      .type = tensor_named(c, first.tensor).type};
  for (const Axis& axis : c.axes)
    if (!axis.reduction && axis != *rows && axis != *columns) product.outer.push_back(axis);
  return product;
}

}  // namespace

// Columns are the innermost axis of the output where they can be: a work-item stores two of them.
std::optional<WarpProduct> warp_product(const Region& region) {
  const auto anchor =
      std::ranges::find(region.computations, region.anchor, &NamedComputation::name);
  if (anchor == region.computations.end() || !is_product_of_halves(anchor->computation))
    return std::nullopt;
  const Computation& c = anchor->computation;
  const Access &a = element_reads(c)[0], &b = element_reads(c)[1];
  auto one = with_rows_of(c, a, b), other = with_rows_of(c, b, a);
  const bool second_is_better = other && (!one || other->columns.name == other->output_dims.back());
  return second_is_better ? other : one;
}

}  // namespace dovetail::tensor_cores
