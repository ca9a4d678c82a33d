// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/partition/node_value.h"

#include <algorithm>
#include <map>
#include <string>

#include "core/frontend/computations/node_region.h"
#include "core/ir/value/walk.h"

namespace dovetail {
namespace {

bool speaks_of_axes(const Value& value) {
  return any_node(value, [](const Value& node) {
    return node.as<IndexValue>() != nullptr || node.as<Select>() != nullptr;
  });
}

class ValueReader {
 public:
  explicit ValueReader(const std::map<std::string, TensorId>& given) : given_(given) {}

  // A rule may compute parts of its value as tensors of their own; these are substituted.
  std::optional<NodeValue> read(const Region& region) {
    for (const NamedComputation& named : region.computations) {
      const Computation& c = named.computation;
      if (c.reducer != Reducer::none || !c.gathers.empty() || !c.tables.empty())
        return std::nullopt;
      const std::vector<int64_t> shape = shape_of(tensor_named(c, c.output.tensor));
      if (speaks_of_axes(c.element) || shape != made_shape(region)) return std::nullopt;
      std::vector<Value> reads;
      for (const Access& access : c.reads) {
        std::optional<Value> one = read(c, access);
        if (!one) return std::nullopt;
        reads.push_back(*std::move(one));
      }
      made_[c.output.tensor] =
          with_reads(c.element, [&](int position) { return reads[static_cast<size_t>(position)]; });
    }
    result_.value = made_.at(region.outputs.front());
    return std::move(result_);
  }

 private:
  static std::vector<int64_t> made_shape(const Region& region) {
    const Computation& last = region.computations.back().computation;
    return shape_of(tensor_named(last, last.output.tensor));
  }

  std::optional<Value> read(const Computation& c, const Access& access) {
    if (const auto made = made_.find(access.tensor); made != made_.end())
      return access.indices == c.output.indices ? std::optional(made->second) : std::nullopt;
    const auto dims = dims_of(c, access);
    if (!dims) return std::nullopt;
    const NodeRead own{.tensor = given_.at(access.tensor), .dims = *dims};
    const auto known = std::ranges::find(result_.reads, own);
    const auto position = static_cast<size_t>(known - result_.reads.begin());
    if (known == result_.reads.end()) result_.reads.push_back(own);
    return read_of(position);
  }

  // The output's dimensions that index the access; nullopt if extents or their order differ.
  static std::optional<std::vector<size_t>> dims_of(const Computation& c, const Access& access) {
    const std::vector<int64_t> shape = shape_of(tensor_named(c, access.tensor));
    const std::vector<int64_t> made = shape_of(tensor_named(c, c.output.tensor));
    if (!access.conditions.empty()) return std::nullopt;
    std::vector<size_t> dims;
    for (size_t j = 0; j < shape.size(); ++j) {
      if (shape[j] == 1) continue;
      const auto at = std::ranges::find(c.output.indices, access.indices[j]);
      const auto dim = static_cast<size_t>(at - c.output.indices.begin());
      const bool in_order = dims.empty() || dims.back() < dim;
      if (at == c.output.indices.end() || made[dim] != shape[j] || !in_order) return std::nullopt;
      dims.push_back(dim);
    }
    return dims;
  }

  const std::map<std::string, TensorId>& given_;
  std::map<std::string, Value> made_;
  NodeValue result_;
};

}  // namespace

Result<std::optional<NodeValue>> value_of(const Graph& graph, const GraphNode& node) {
  std::optional<NodeValue> none;
  if (node.operator_class != OperatorClass::elementwise || node.outputs.size() != 1) return none;
  const NodeRegion region = TRY(node_region(graph, node));
  if (!region.reason.empty() || is_view(region) || region.made.size() != 1) return none;
  const Result<Region>& parsed = region.spec.value();
  if (!parsed || parsed->outputs.size() != 1 || parsed->op) return none;
  const std::map<std::string, TensorId> given(region.given.begin(), region.given.end());
  for (const Tensor& tensor : given_tensors(*parsed))
    if (!is_same_tensor(tensor, graph.tensors[static_cast<size_t>(given.at(tensor.name))]))
      return none;
  return ValueReader(given).read(*parsed);
}

}  // namespace dovetail
