// SPDX-License-Identifier: Apache-2.0
#include "primitives/algorithm/winograd_inner_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/ir/value/walk.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

bool is_index_alone(const Access& access, const std::string& axis) {
  const IndexExpr alone = IndexExpr::variable(axis);
  return std::ranges::count(access.indices, alone) == 1 &&
         std::ranges::count_if(access.indices,
                               [&](const IndexExpr& index) { return index.mentions(axis); }) == 1;
}

class Pairs {
 public:
  Pairs(const PlannedStage& direct, const algorithm::WinogradInnerProduct& algorithm)
      : what_(fmt::format("algorithm {}: {}", print(Algorithm(algorithm)), direct.name)),
        of_(algorithm.of),
        apart_(algorithm.apart),
        scale_(algorithm.scale),
        signs_(algorithm.signs),
        direct_(direct),
        c_(direct.computation) {}

  Result<std::vector<PlannedStage>> stages() {
    if (of_ < 2 || of_ > kMost) return refuse(what_, "of={}, expected 2 to {}", of_, kMost);
    if (apart_ < 1 || apart_ > kMost)
      return refuse(what_, "apart={}, expected 1 to {}", apart_, kMost);
    if (scale_ < 1 || scale_ > kMostScale || !std::has_single_bit(static_cast<uint64_t>(scale_)))
      return refuse(what_, "scale={}, expected a power of two from 1 to {}", scale_, kMostScale);
    if (signs_ != 1 && signs_ != 2) return refuse(what_, "signs={}, expected 1 or 2", signs_);
    if (!is_product_sum(c_) || element_reads(c_).size() != 2 || !c_.tables.empty() ||
        rounds_factors(c_))
      return refuse(what_, "expected a sum of products of two tensors");
    TRY(find_axis());
    TRY(check_scale());
    std::vector<PlannedStage> stages;
    for (const bool constant : {true, false}) {
      for (const Access& read : element_reads(c_)) {
        if (is_constant(read) != constant) continue;
        stages.push_back({.name = sums_of_pairs(read.tensor),
                          .computation = sums_of(read),
                          .prepares = constant,
                          .inner = true});
      }
    }
    stages.push_back({.name = direct_.name,
                      .computation = product(stages),
                      .inner = direct_.inner,
                      .pairs = PairedSum{axis_, of_, apart_, signs_}});
    if (scale_ > 1) stages.back().multiplied = {constant().tensor, scale_};
    return stages;
  }

 private:
  static constexpr int64_t kMost = 1024;
  static constexpr int64_t kMostScale = 64;  // beyond it sums of small integers would round

  // Elements from the start of one group to that of the next.
  int64_t group() const { return of_ * apart_ * signs_; }
  std::string within() const { return pair_lanes(axis_); }

  bool is_constant(const Access& read) const {
    return tensor_named(c_, read.tensor).role == TensorRole::constant;
  }

  const Access& constant() const {
    const std::span<const Access> reads = element_reads(c_);
    return is_constant(reads[0]) ? reads[0] : reads[1];
  }

  Result<void> check_scale() const {
    const ElementType type = tensor_named(c_, constant().tensor).type;
    if (scale_ == 1 || computed_type(type) == ComputedType::real) return {};
    return refuse(what_, "scale={} of {} of {}, expected a tensor of floating point", scale_,
                  constant().tensor, name_of(type));
  }

  // Chooses the longest suitable axis.
  Result<void> find_axis() {
    const std::span<const Access> reads = element_reads(c_);
    if (is_constant(reads[0]) == is_constant(reads[1]))
      return refuse(what_, "expected one constant of {} and {}", reads[0].tensor, reads[1].tensor);
    int64_t longest = 0;
    for (const Axis& axis : c_.axes) {
      if (!axis.reduction || axis.extent <= longest || axis.extent % group() != 0) continue;
      if (!std::ranges::all_of(reads,
                               [&](const Access& read) { return is_index_alone(read, axis.name); }))
        continue;
      axis_ = axis.name;
      longest = axis.extent;
    }
    if (!axis_.empty()) return {};
    return refuse(what_,
                  "no axis that is summed over is an index of {} and of {} and a multiple of {} "
                  "long",
                  reads[0].tensor, reads[1].tensor, group());
  }

  // Output axes of the definition that index the tensor.
  std::vector<Axis> axes_of(const Access& read) const {
    std::vector<Axis> axes;
    const auto is_its = [&](const Axis& axis) {
      const auto mentions = [&](const IndexExpr& index) { return index.mentions(axis.name); };
      return !axis.reduction && std::ranges::any_of(read.indices, mentions);
    };
    std::ranges::copy_if(c_.axes, std::back_inserter(axes), is_its);
    return axes;
  }

  Tensor sums_tensor(const Access& read) const {
    Tensor tensor{sums_of_pairs(read.tensor), {}, TensorRole::output};
    for (const Axis& axis : axes_of(read)) tensor.dims.push_back({axis.name, axis.extent});
    return tensor;
  }

  Access sums_access(const Access& read) const {
    Access access{sums_of_pairs(read.tensor), {}};
    for (const Axis& axis : axes_of(read)) access.indices.push_back(IndexExpr::variable(axis.name));
    return access;
  }

  Access neighbour(const Access& read, int64_t distance) const {
    IndexExpr first = IndexExpr::variable(axis_) * group();
    if (apart_ > 1) first = first + IndexExpr::variable(within());
    return substituted(read, {{axis_, first + distance}}, axis_ranges(c_));
  }

  Computation sums_of(const Access& read) const {
    Computation c;
    c.axes = axes_of(read);
    for (const Axis& axis : c_.axes) {
      if (!axis.reduction) continue;
      c.axes.push_back(axis);
      if (axis.name == axis_) c.axes.back().extent /= group();
    }
    if (apart_ > 1) c.axes.push_back({within(), apart_, true});
    c.output = sums_access(read);
    c.reads = {neighbour(read, 0), neighbour(read, apart_)};
    c.element = binary(BinaryOp::mul, read_of(0), read_of(1));
    if (signs_ == 2) {
      c.reads.push_back(neighbour(read, of_ * apart_));
      c.reads.push_back(neighbour(read, (of_ + 1) * apart_));
      const Value other = binary(BinaryOp::mul, read_of(2), read_of(3));
      c.element = binary(BinaryOp::sub, c.element, other);
    }
    c.reducer = Reducer::sum;
    c.tensors = {tensor_named(c_, read.tensor), sums_tensor(read)};
    return c;
  }

  Computation product(const std::vector<PlannedStage>& sums) const {
    Computation c = c_;
    Value sum = Reduced{};
    const Tensor made = c.tensors.back();
    c.tensors.pop_back();
    for (const PlannedStage& stage : sums) {
      sum = binary(BinaryOp::sub, sum, read_of(c.reads.size()));
      c.reads.push_back(stage.computation.output);
      c.tensors.push_back(stage.computation.tensors.back());
      c.tensors.back().role = stage.prepares ? TensorRole::constant : TensorRole::activation;
    }
    if (scale_ > 1) sum = binary(BinaryOp::mul, sum, 1 / static_cast<double>(scale_));
    c.tensors.push_back(made);
    c.result = rebuilt(c.result, [&](const Value& node) -> std::optional<Value> {
      if (node.as<Reduced>() != nullptr) return sum;
      return std::nullopt;
    });
    return c;
  }

  std::string what_;  // prefix of error messages
  int64_t of_, apart_, scale_, signs_;
  const PlannedStage& direct_;
  const Computation& c_;
  std::string axis_;
};

}  // namespace

std::string sums_of_pairs(const std::string& tensor) { return tensor + ".pairs"; }

std::string pair_lanes(const std::string& axis) { return axis + ".lane"; }

Result<std::vector<PlannedStage>> inner_product_stages(
    const PlannedStage& direct, const algorithm::WinogradInnerProduct& algorithm) {
  return Pairs(direct, algorithm).stages();
}

}  // namespace dovetail
