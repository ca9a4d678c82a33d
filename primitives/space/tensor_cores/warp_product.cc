// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/tensor_cores/warp_product.h"

#include <algorithm>
#include <tuple>

#include "core/base/check.h"
#include "primitives/divisors.h"
#include "primitives/space/contraction/contraction_facts.h"

namespace dovetail::tensor_cores {
namespace {

constexpr int64_t kTile = 64;
constexpr double kMostComputed = 4;  // over what is asked for
constexpr size_t kMostWindows = 4;   // a space has each subset of them

// The loop over an axis of the facts.
std::string loop_of(const ContractionFacts& facts, const std::string& axis) {
  return facts.axis(axis).phases > 1 && facts.is_output(axis) ? axis + ".0" : axis;
}

OperandDim dim_of(const ContractionFacts& facts, const LogicalDim& dim, const IndexExpr& index) {
  OperandDim made{.name = dim.name, .extent = dim.extent};
  for (const IndexTerm& term : index.terms()) {
    if (term.atom.kind != IndexAtom::Kind::variable) {
      made.is_of_parts = true;
      for (const std::string& name : term.atom.inner->variables()) made.steps.push_back({name, 1});
      continue;
    }
    const ContractionAxis& axis = facts.axis(term.atom.variable);
    if (axis.kind == AxisClass::phase || axis.extent == 1) continue;
    const int64_t elements = term.coefficient < 0 ? -term.coefficient : term.coefficient;
    if (!axis.phase_of.empty()) made.phases = elements;
    made.steps.push_back({loop_of(facts, axis.name), elements});
  }
  return made;
}

ProductOperand operand_of(const ContractionFacts& facts, const Access& access,
                          const Access& other) {
  const Tensor& tensor = facts.tensor(access.tensor);
  ProductOperand operand{.tensor = access.tensor,
                         .is_constant = tensor.role == TensorRole::constant};
  for (size_t j = 0; j < access.indices.size(); ++j)
    operand.dims.push_back(dim_of(facts, tensor.dims[j], access.indices[j]));
  for (const ContractionAxis& axis : facts.axes)
    if (facts.is_output(axis.name) && axis.extent > 1 && access_has(access, axis.name) &&
        !access_has(other, axis.name))
      operand.axes.push_back({loop_of(facts, axis.name), axis.extent, false});
  return operand;
}

int64_t elements_along(const OperandDim& dim, const std::string& axis) {
  return std::ranges::find(dim.steps, axis, &DimStep::axis)->elements;
}

double waste(int64_t extent, int64_t unit) {
  return static_cast<double>(round_up(extent, unit)) / static_cast<double>(extent);
}

bool moves_one_dim(const ProductOperand& operand, const std::string& axis) {
  return std::ranges::count_if(operand.dims, [&](const OperandDim& dim) {
           return dim.has(axis) && dim.phases == 1;
         }) == 1;
}

// Neighbours along the base lie together, in the phase of the stride that they share.
bool can_be_base(const ProductOperand& operand, const std::string& axis) {
  if (!moves_one_dim(operand, axis)) return false;
  const OperandDim& dim = operand.dim_of(axis);
  const int64_t elements = elements_along(dim, axis);
  return elements == 1 || (!operand.is_constant && dim.extent % elements == 0);
}

// The axes whose tiles waste least: among equals one axis alone; then the operand's first dim as
// the base, the images of a batch; then inner ones, so that all convolutions of a network agree.
// False where none fits.
bool choose_axes(ProductOperand& operand) {
  using Rank = std::tuple<double, bool, bool, size_t, size_t>;
  std::optional<Rank> best;
  const std::vector<Axis>& axes = operand.axes;
  for (size_t b = 0; b < axes.size(); ++b) {
    if (!can_be_base(operand, axes[b].name)) continue;
    const bool is_batch = is_first_dim(operand, axes[b].name);
    for (size_t s = 0; s < axes.size(); ++s) {
      if (!moves_one_dim(operand, axes[s].name)) continue;
      const double wasted =
          b == s ? waste(axes[b].extent, kTile)
                 : waste(axes[b].extent, kBlock) * waste(axes[s].extent, kTile / kBlock);
      const Rank rank(wasted, b != s, !is_batch, axes.size() - b, axes.size() - s);
      if (wasted > kMostComputed || (best && *best <= rank)) continue;
      best = rank;
      operand.base = axes[b];
      operand.step = axes[s];
    }
  }
  if (!best) return false;
  OperandDim& dim = *std::ranges::find_if(
      operand.dims, [&](const OperandDim& d) { return d.has(operand.base.name); });
  dim.phases = elements_along(dim, operand.base.name);
  return true;
}

// The type of a factor that tensor cores take: a half as stored, or f32 rounded to tf32.
std::optional<ElementType> type_of_factor(const Computation& c, const Value& factor) {
  const auto* rounding = factor.as<Cast>();
  const auto* read = (rounding == nullptr ? factor : rounding->operand).as<ReadOf>();
  if (read == nullptr) return std::nullopt;
  const std::string& tensor = c.reads[static_cast<size_t>(read->position)].tensor;
  const ElementType stored = tensor_named(c, tensor).type;
  if (rounding == nullptr) return is_half(stored) ? std::optional(stored) : std::nullopt;
  const bool is_tf32 = rounding->type == ElementType::tf32 && stored == ElementType::f32;
  return is_tf32 ? std::optional(ElementType::tf32) : std::nullopt;
}

// The type of both factors; nullopt where they differ, or for another computation.
std::optional<ElementType> type_of_factors(const Computation& c) {
  if (!is_product_sum(c) || element_reads(c).size() != 2 || !c.tables.empty() || !c.gathers.empty())
    return std::nullopt;
  const auto* product = c.element.as<Binary>();
  if (product == nullptr || product->op != BinaryOp::mul) return std::nullopt;
  const auto left = type_of_factor(c, product->left), right = type_of_factor(c, product->right);
  return left == right ? left : std::nullopt;
}

std::vector<OutputDim> output_dims_of(const ContractionFacts& facts, const Computation& c) {
  std::vector<OutputDim> dims;
  for (const LogicalDim& dim : tensor_named(c, c.output.tensor).dims) {
    const std::string axis = c.output.indices[dims.size()].variables().front();
    dims.push_back({.name = dim.name,
                    .extent = dim.extent,
                    .axis = loop_of(facts, axis),
                    .phases = facts.axis(axis).phases});
  }
  return dims;
}

// Both operands have the reduction as a dim of its own.
bool has_plain_reduction(const ProductOperand& operand, const std::string& axis) {
  return std::ranges::any_of(operand.dims,
                             [&](const OperandDim& dim) { return dim.is_only(axis); });
}

std::optional<WarpProduct> with_rows_of(const ContractionFacts& facts, const Computation& c,
                                        bool first) {
  const Access &a = facts.inputs()[first ? 0 : 1], &b = facts.inputs()[first ? 1 : 0];
  WarpProduct product{.rows = operand_of(facts, a, b),
                      .columns = operand_of(facts, b, a),
                      .reduction = {},
                      .windows = {},
                      .outer = {},
                      .output = tensor_named(c, c.output.tensor),
                      .output_dims = output_dims_of(facts, c),
                      .type = *type_of_factors(c)};
  if (!choose_axes(product.rows) || !choose_axes(product.columns)) return std::nullopt;
  for (const ContractionAxis& axis : facts.axes) {
    const bool reduced = axis.kind == AxisClass::window || axis.kind == AxisClass::pure;
    const Axis loop{loop_of(facts, axis.name), axis.extent, reduced};
    if (axis.name == facts.pure)
      product.reduction = loop;
    else if (reduced)
      product.windows.push_back(loop);
    else if (std::ranges::count(product.rows.axes, loop) == 0 &&
             std::ranges::count(product.columns.axes, loop) == 0)
      product.outer.push_back(loop);
  }
  for (const ProductOperand* operand : {&product.rows, &product.columns})
    if (!has_plain_reduction(*operand, product.reduction.name)) return std::nullopt;
  if (product.windows.size() > kMostWindows) return std::nullopt;
  return product;
}

bool slides(const WarpProduct& product) {
  return std::ranges::any_of(product.windows, [](const Axis& axis) { return axis.extent > 1; });
}

// Zeros behind the reduction are stored by a kernel of their own, which pays where each element is
// read at many taps.
bool reduction_fits(const WarpProduct& product) {
  return product.reduction.extent % instruction_terms(product) == 0 || slides(product);
}

bool is_innermost(const WarpProduct& product, const Axis& axis) {
  return product.output_dims.back().axis == axis.name;
}

}  // namespace

bool OperandDim::has(const std::string& axis) const {
  return std::ranges::find(steps, axis, &DimStep::axis) != steps.end();
}

bool OperandDim::is_only(const std::string& axis) const {
  return steps.size() == 1 && steps[0] == DimStep{axis, 1} && phases == 1;
}

bool is_first_dim(const ProductOperand& operand, const std::string& axis) {
  return operand.dims.front().is_only(axis);
}

const OperandDim& ProductOperand::dim_of(const std::string& axis) const {
  const auto found = std::ranges::find_if(dims, [&](const auto& dim) { return dim.has(axis); });
  CHECK(found != dims.end(), tensor + " has no axis " + axis);
  return *found;
}

// Columns are the channels of weights, where one operand has weights; else the innermost axis of
// the output if it can be: a work-item stores two of them.
std::optional<WarpProduct> warp_product(const Region& region, const Target& target) {
  const Computation* const anchor = anchor_of(region);
  if (anchor == nullptr || !type_of_factors(*anchor)) return std::nullopt;
  const Result<ContractionFacts> facts = derive_facts(*anchor, target);
  if (!facts || facts->pure.empty()) return std::nullopt;
  auto one = with_rows_of(*facts, *anchor, true);
  if (one && (slides(*one) || (one->columns.is_constant && !one->rows.is_constant)))
    return reduction_fits(*one) ? one : std::nullopt;
  auto other = with_rows_of(*facts, *anchor, false);
  const bool second_is_better = other && (!one || is_innermost(*other, other->columns.base));
  auto& chosen = second_is_better ? other : one;
  return chosen && reduction_fits(*chosen) ? chosen : std::nullopt;
}

int64_t factor_bytes(const WarpProduct& product) {
  return bytes_of(product.type == ElementType::tf32 ? ElementType::f32 : product.type);
}

int64_t block_terms(const WarpProduct& product) { return kBlockRowBytes / factor_bytes(product); }

int64_t instruction_terms(const WarpProduct& product) { return 2 * block_terms(product); }

int64_t padded_reduction(const WarpProduct& product) {
  return round_up(product.reduction.extent, instruction_terms(product));
}

std::string stored_name(const WarpProduct& product, const ProductOperand& operand) {
  const bool is_padded = padded_reduction(product) != product.reduction.extent;
  return operand.tensor + (is_padded && !operand.is_constant ? ".pad" : "");
}

}  // namespace dovetail::tensor_cores
