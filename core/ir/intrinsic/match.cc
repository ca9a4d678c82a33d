// SPDX-License-Identifier: Apache-2.0
#include "core/ir/intrinsic/match.h"

#include <algorithm>
#include <map>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/ir/index/element_stride.h"

namespace dovetail {
namespace {

class Match {
 public:
  Match(const Intrinsic& intrinsic, const Loop& loop, std::span<const Loop* const> around,
        const ArrayNamed& array_named)
      : c_(intrinsic.computation), outermost_(loop), around_(around), array_named_(array_named) {
    use_.intrinsic = &intrinsic;
    use_.reads.resize(c_.reads.size(), nullptr);
  }

  Result<IntrinsicUse> run() {
    TRY(take_loops());
    TRY(take_lanes());
    TRY(is_operand(c_.output.indices, tensor_named(c_, c_.output.tensor), use_.store->target,
                   use_.store->indices));
    if (use_.store->reducer != c_.reducer || use_.store->streaming)
      return refuse("another statement", "one that accumulates");
    TRY(computes(c_.element, use_.store->value));
    return use_;
  }

 private:
  Unexpected refuse(const std::string& found, const std::string& expected) const {
    return fail("loop {} is no {}: {}, expected {}", outermost_.variable, use_.intrinsic->name,
                found, expected);
  }

  Result<void> take_loops() {
    const Loop* loop = &outermost_;
    for (const Axis& axis : loop_order(*use_.intrinsic)) {
      if (loop == nullptr) return refuse("fewer loops", "one over " + axis.name + " inside");
      if (loop->extent != axis.extent || !loop->bounds.empty() || loop->at)
        return refuse(fmt::format("loop {} of {} iterations", loop->variable, loop->extent),
                      fmt::format("{} unconditional ones over {}", axis.extent, axis.name));
      use_.loops.push_back(loop);
      variables_[axis.name] = loop->variable;
      if (loop->body.size() != 1)
        return refuse("several statements in loop " + loop->variable, "one");
      use_.store = std::get_if<Store>(&loop->body[0].node);
      loop = std::get_if<Loop>(&loop->body[0].node);
    }
    if (use_.store == nullptr) return refuse("more than its loops", "one store inside");
    return {};
  }

  Result<void> take_lanes() {
    const std::vector<LaneAxis>& lanes = use_.intrinsic->lanes;
    for (const LaneAxis& lane : lanes) {
      const auto found = std::ranges::find_if(around_, [&](const Loop* loop) {
        return loop->kind == LoopKind::bound && loop->thread == lane.thread;
      });
      const int64_t extent = axis_named(lane.axis).extent;
      if (found == around_.end())
        return refuse("no loop bound to " + print(lane.thread), "one for axis " + lane.axis);
      const bool is_last = &lane == &lanes.back();
      const int64_t rest = (*found)->extent % extent;
      if (is_last ? rest != 0 : (*found)->extent != extent)
        return refuse(fmt::format("loop {} of {} iterations on {}", (*found)->variable,
                                  (*found)->extent, print(lane.thread)),
                      fmt::format("{}{}", is_last ? "a multiple of " : "", extent));
      use_.lanes.push_back(*found);
      variables_[lane.axis] = (*found)->variable;
    }
    if (lanes.empty()) return {};
    const auto clipped = std::ranges::find_if(
        around_, [](const Loop* loop) { return !loop->bounds.empty() || loop->at.has_value(); });
    if (clipped == around_.end()) return {};
    return refuse("clipped loop " + (*clipped)->variable + " around it",
                  "all work-items to come there");
  }

  using Strides = std::function<Result<int64_t>(const std::string& variable)>;

  const Axis& axis_named(const std::string& name) const {
    return *std::ranges::find(c_.axes, name, &Axis::name);
  }

  // The stride that an operand must have along an axis; nullopt: any. An instruction of one
  // work-item takes dense operands; one of several has rules where the definition has a stride.
  Result<std::optional<int64_t>> required(const Tensor& tensor, const std::string& axis,
                                          int64_t defined, const Strides& stride_along) {
    if (use_.intrinsic->lanes.empty() || defined == 0) return defined;
    for (const StrideRule& rule : use_.intrinsic->strides) {
      if (rule.tensor != tensor.name || rule.axis != axis) continue;
      if (rule.of_axis.empty()) return rule.elements;
      return rule.elements * TRY(stride_along(variables_.at(rule.of_axis)));
    }
    return std::nullopt;
  }

  // Whether the program's array has the type and the strides of the definition's operand.
  Result<void> is_operand(const std::vector<IndexExpr>& defined, const Tensor& tensor,
                          const std::string& name, const std::vector<IndexExpr>& indices) {
    const std::optional<StoredArray> array = array_named_(name);
    if (!array || array->extents.size() != indices.size())
      return refuse(name + " is no array of the program", "one");
    if (array->type != tensor.type)
      return refuse(fmt::format("{} of {}", name, name_of(array->type)),
                    fmt::format("{} for {}", name_of(tensor.type), tensor.name));
    const Strides stride_along = [&](const std::string& variable) {
      return element_stride(indices, array->extents, variable);
    };
    for (const auto& [axis, variable] : variables_) {
      const Result<int64_t> found = stride_along(variable);
      if (!found) return refuse(found.error().message, "a constant stride");
      const int64_t own = TRY(element_stride(defined, shape_of(tensor), axis));
      const std::optional<int64_t> wanted = TRY(required(tensor, axis, own, stride_along));
      if (wanted && *found != *wanted)
        return refuse(fmt::format("{} has stride {} along {}", name, *found, variable),
                      fmt::format("{}, as {} has", *wanted, tensor.name));
    }
    return {};
  }

  Result<void> reads(const ReadOf& read, const Value& value) {
    const Access& access = c_.reads[static_cast<size_t>(read.position)];
    const auto* load = value.as<Load>();
    if (load == nullptr) return refuse(print(value), "an element for " + access.tensor);
    TRY(is_operand(access.indices, tensor_named(c_, access.tensor), load->buffer, load->indices));
    use_.reads[static_cast<size_t>(read.position)] = load;
    return {};
  }

  Result<void> computes(const Value& defined, const Value& value) {
    if (const auto* read = defined.as<ReadOf>()) return reads(*read, value);
    if (const auto* rounding = defined.as<Cast>()) {
      const auto* found = value.as<Cast>();
      if (found == nullptr || found->type != rounding->type)
        return refuse(print(value), fmt::format("a factor rounded to {}", name_of(rounding->type)));
      return computes(rounding->operand, found->operand);
    }
    const auto *a = defined.as<Binary>(), *b = value.as<Binary>();
    if (a == nullptr || b == nullptr || a->op != b->op)
      return refuse(print(value), "its definition's value");
    const Result<void> as_written = both(*a, b->left, b->right);
    const bool commutes = a->op == BinaryOp::add || a->op == BinaryOp::mul;
    if (as_written || !commutes) return as_written;
    return both(*a, b->right, b->left);
  }

  Result<void> both(const Binary& defined, const Value& left, const Value& right) {
    TRY(computes(defined.left, left));
    return computes(defined.right, right);
  }

  const Computation& c_;
  const Loop& outermost_;
  std::span<const Loop* const> around_;
  const ArrayNamed& array_named_;
  IntrinsicUse use_;
  std::map<std::string, std::string> variables_;  // the program's loops by axis
};

// Walks a kernel with the arrays that are visible in it.
class TensorizedLoops {
 public:
  explicit TensorizedLoops(const Program& program) : program_(program) {}

  Result<void> check(const Block& block) {
    const size_t visible = tiles_.size();
    for (const Statement& statement : block) {
      if (const auto* tile = std::get_if<ScopedTile>(&statement.node)) tiles_.push_back(tile);
      const auto* loop = std::get_if<Loop>(&statement.node);
      if (loop == nullptr) continue;
      if (!loop->intrinsic.empty())
        TRY(match_intrinsic(*loop, around_, [&](const std::string& name) { return find(name); }));
      around_.push_back(loop);
      TRY(check(loop->body));
      around_.pop_back();
    }
    tiles_.resize(visible);
    return {};
  }

 private:
  std::optional<StoredArray> find(const std::string& name) const {
    const auto tile = std::ranges::find(tiles_, name, &ScopedTile::name);
    if (tile != tiles_.end()) return StoredArray{(*tile)->extents, (*tile)->type};
    const Buffer* buffer = find_buffer(program_, name);
    if (buffer == nullptr) return std::nullopt;
    return StoredArray{physical_extents(buffer->layout), buffer->dtype};
  }

  const Program& program_;
  std::vector<const ScopedTile*> tiles_;  // visible ones
  std::vector<const Loop*> around_;
};

}  // namespace

Result<void> check_intrinsics(const Program& program) {
  for (const Kernel& kernel : program.kernels) {
    const Result<void> checked = TensorizedLoops(program).check(kernel.body);
    if (!checked) return fail("kernel {}: {}", kernel.name, checked.error().message);
  }
  return {};
}

Result<IntrinsicUse> match_intrinsic(const Loop& loop, std::span<const Loop* const> around,
                                     const ArrayNamed& array_named) {
  const Intrinsic* intrinsic = find_intrinsic(loop.intrinsic);
  if (intrinsic == nullptr)
    return fail("loop {} has intrinsic {}; expected one of: {}", loop.variable, loop.intrinsic,
                one_of(intrinsic_names()));
  return Match(*intrinsic, loop, around, array_named).run();
}

}  // namespace dovetail
