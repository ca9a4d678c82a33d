// SPDX-License-Identifier: Apache-2.0
#include "campaign/accuracy/network_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "campaign/run/graph_walk.h"
#include "campaign/run/network_checker.h"
#include "measure/reference/check_data.h"
#include "measure/reference/region_numbers.h"
#include "measure/reference/region_slices.h"

namespace dovetail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int64_t kEvaluatedAtOnce = int64_t{1} << 22;  // elements

template <typename Number>
NDArray joined(const std::vector<NDArray>& pieces) {
  std::vector<Number> all;
  for (const NDArray& piece : pieces) {
    const std::span<const Number> numbers = piece.as<Number>();
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  return NDArray(std::move(all));
}

// Evaluates slice by slice: error bounds and scales take as much memory as the numbers, and only
// the numbers are kept. Slices are consecutive, and all outputs of a region are cut alike.
NamedArrays made_by(const Region& region, const NamedArrays& given) {
  std::map<std::string, std::vector<NDArray>, std::less<>> pieces;
  for (const RegionSlice& slice : slices_of(region, kEvaluatedAtOnce))
    for (auto& [tensor, numbers] : expected_numbers(slice.region, slice.of(given)))
      pieces[tensor].push_back(std::move(numbers));
  NamedArrays made;
  for (const auto& [tensor, own] : pieces)
    made[tensor] = own.size() == 1                          ? own.front()
                   : own.front().type() == ElementType::f64 ? joined<double>(own)
                                                            : joined<int64_t>(own);
  return made;
}

class GraphInDouble {
 public:
  GraphInDouble(const Partition& parts, const VisitNode& visit)
      : parts_(parts),
        visit_(visit),
        values_(parts.graph.tensors.size()),
        last_read_by_(last_reads(parts, {&parts.graph.outputs})) {}

  void give(TensorId id, NDArray values) { values_[static_cast<size_t>(id)] = std::move(values); }

  Result<void> evaluate(size_t node) {
    const NodeRegion& region = parts_.regions[node];
    if (is_view(region))
      give(region.made[0].second, TRY(values(region.given[0].second)));
    else
      TRY(evaluate_region_of(node));
    for (const TensorId id : last_read_by_[node]) values_[static_cast<size_t>(id)] = NDArray();
    return {};
  }

  Result<NDArray> values(TensorId id) {
    const NDArray& made = values_[static_cast<size_t>(id)];
    if (!made.empty()) return made;
    return constant_values(parts_.graph.tensors[static_cast<size_t>(id)]);
  }

 private:
  Result<void> evaluate_region_of(size_t node) {
    const NodeRegion& own = parts_.regions[node];
    const Region region = TRY(own.spec.value());
    NamedArrays given;
    for (const auto& [name, id] : own.given) given[name] = TRY(values(id));
    const NamedArrays made = made_by(region, given);
    if (visit_) visit_(node, region, given, made);
    for (const auto& [name, id] : own.made) give(id, made.at(name));
    return {};
  }

  const Partition& parts_;
  const VisitNode& visit_;
  std::vector<NDArray> values_;  // per graph tensor; empty: not computed yet, or a constant
  std::vector<std::vector<TensorId>> last_read_by_;  // per graph node
};

}  // namespace

Result<NetworkReference> network_reference(const Partition& parts,
                                           const std::vector<NDArray>& inputs,
                                           const VisitNode& visit, const Listener& listener) {
  GraphInDouble evaluation(parts, visit);
  for (size_t i = 0; i < inputs.size(); ++i) evaluation.give(parts.graph.inputs[i], inputs[i]);
  StepNotes notes(listener, "reference in double", "nodes");
  const size_t nodes = parts.regions.size();
  for (size_t node = 0; node < nodes; ++node) {
    TRY(evaluation.evaluate(node));
    notes.done(node + 1, nodes);
  }
  NetworkReference reference;
  for (const TensorId id : parts.graph.outputs)
    reference.outputs.push_back(TRY(evaluation.values(id)));
  return reference;
}

double range_error(const ArrayView& found, const ArrayView& expected) {
  ValueRange range;
  double largest = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double ours = found.real(i), right = expected.real(i);
    range.add(right);
    if (ours == right || (std::isnan(ours) && std::isnan(right))) continue;
    const double error = std::abs(ours - right);
    largest = std::max(largest, std::isfinite(error) ? error : kInfinity);
  }
  return range.relative(largest);
}

}  // namespace dovetail
