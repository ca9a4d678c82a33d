// SPDX-License-Identifier: Apache-2.0
#include "primitives/algorithm/split_factors.h"

#include <fmt/format.h>

#include <algorithm>

#include "primitives/refuse.h"

namespace dovetail {
namespace {

constexpr const char* kPair = "pair";  // the loop over products of parts
constexpr int64_t kParts = 2;

// The factor that is rounded to tf32x2; null for another value.
const ReadOf* split_factor(const Value& value) {
  const auto* rounding = value.as<Cast>();
  return rounding != nullptr && rounding->type == ElementType::tf32x2
             ? rounding->operand.as<ReadOf>()
             : nullptr;
}

bool has_split_factors(const Computation& c) {
  if (!is_product_sum(c) || element_reads(c).size() != 2 || !c.tables.empty()) return false;
  const auto* product = c.element.as<Binary>();
  if (product == nullptr || product->op != BinaryOp::mul) return false;
  const ReadOf *left = split_factor(product->left), *right = split_factor(product->right);
  return left != nullptr && right != nullptr && left->position != right->position;
}

bool has_axis(const Computation& c, const std::string& name) {
  return std::ranges::find(c.axes, name, &Axis::name) != c.axes.end();
}

bool has_dim(const Tensor& tensor, const std::string& name) {
  return std::ranges::find(tensor.dims, name, &LogicalDim::name) != tensor.dims.end();
}

// T.split[part, …] = part < 1 ? T[…] : T[…] - tf32(T[…])
PlannedStage parts_stage(const Tensor& tensor) {
  const IndexExpr part = IndexExpr::variable(kPartOfFactor);
  Tensor parts{parts_of_factor(tensor.name), {{kPartOfFactor, kParts}}, TensorRole::output};
  Access read{tensor.name, {}}, made{parts.name, {part}};
  Computation c;
  c.axes = {{kPartOfFactor, kParts, false}};
  for (const LogicalDim& dim : tensor.dims) {
    parts.dims.push_back(dim);
    c.axes.push_back({dim.name, dim.extent, false});
    read.indices.push_back(IndexExpr::variable(dim.name));
    made.indices.push_back(IndexExpr::variable(dim.name));
  }
  c.tensors = {tensor, std::move(parts)};
  c.output = std::move(made);
  c.reads = {std::move(read)};
  const Value rest = binary(BinaryOp::sub, read_of(0), cast(ElementType::tf32, read_of(0)));
  c.element = select({{part, 0, 1}}, read_of(0), rest);
  return {.name = parts_of_factor(tensor.name),
          .computation = std::move(c),
          .prepares = tensor.role == TensorRole::constant,
          .inner = true};
}

// The sum over pairs of parts, in place of the one over the factors.
Computation products_of_parts(const Computation& direct, int64_t products) {
  Computation c = direct;
  const auto first_reduced = std::ranges::find_if(c.axes, &Axis::reduction);
  c.axes.insert(first_reduced, {kPair, products, true});
  const IndexExpr pair = IndexExpr::variable(kPair);
  const Ranges ranges = axis_ranges(c);
  const IndexExpr parts[] = {floor_div(pair, kParts, ranges), floor_mod(pair, kParts, ranges)};
  for (size_t i = 0; i < std::size(parts); ++i) {
    Access& read = element_reads(c)[i];
    Tensor& tensor = *std::ranges::find(c.tensors, read.tensor, &Tensor::name);
    tensor.name = read.tensor = parts_of_factor(tensor.name);
    tensor.dims.insert(tensor.dims.begin(), {kPartOfFactor, kParts});
    read.indices.insert(read.indices.begin(), parts[i]);
  }
  c.element = binary(BinaryOp::mul, cast(ElementType::tf32, read_of(0)),
                     cast(ElementType::tf32, read_of(1)));
  return c;
}

}  // namespace

std::string parts_of_factor(const std::string& tensor) { return tensor + ".split"; }

Result<std::vector<PlannedStage>> split_stages(const PlannedStage& direct,
                                               const algorithm::SplitFactors& algorithm) {
  const std::string what =
      fmt::format("algorithm {}: {}", print(Algorithm(algorithm)), direct.name);
  const Computation& c = direct.computation;
  if (algorithm.products != 3 && algorithm.products != 4)
    return refuse(what, "products={}, expected 3 or 4", algorithm.products);
  if (!has_split_factors(c))
    return refuse(what, "expected a sum of products of two factors in tf32x2");
  const auto reads = element_reads(c);
  if (reads[0].tensor == reads[1].tensor)
    return refuse(what, "both factors are of {}, expected two tensors", reads[0].tensor);
  std::vector<PlannedStage> stages;
  for (const Access& read : reads) {
    const Tensor& tensor = tensor_named(c, read.tensor);
    if (tensor.type != ElementType::f32)
      return refuse(what, "{} is {}, expected f32", tensor.name, name_of(tensor.type));
    if (has_dim(tensor, kPartOfFactor) || has_axis(c, kPair))
      return refuse(what, "an axis is named {} or {} already", kPartOfFactor, kPair);
    if (std::ranges::any_of(result_reads(c),
                            [&](const Access& other) { return other.tensor == read.tensor; }))
      return refuse(what, "the epilogue reads the factor {}, too", read.tensor);
    stages.push_back(parts_stage(tensor));
  }
  std::ranges::stable_partition(stages, &PlannedStage::prepares);
  stages.push_back({.name = direct.name,
                    .computation = products_of_parts(c, algorithm.products),
                    .inner = direct.inner});
  return stages;
}

}  // namespace dovetail
