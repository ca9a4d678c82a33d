// SPDX-License-Identifier: Apache-2.0
// Arithmetic and guards: from a Value to an expression of OpenCL C, for all lanes at once.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/check.h"
#include "core/codegen/opencl/kernel_writer.h"

namespace dovetail::opencl {
namespace {

// Text of the comparisons that a bound still needs.
std::string comparison_text(const Bound& bound, const LoopScope& scope) {
  const Range range = range_of(bound.expr, scope.ranges);
  const std::string e = index_text(bound.expr, scope.index_context());
  const std::string lower = fmt::format("{} >= {}", e, bound.lower);
  const std::string upper = fmt::format("{} < {}", e, bound.upper);
  if (range.min >= bound.lower) return upper;
  if (range.max < bound.upper) return lower;
  return lower + " && " + upper;
}

const char* operator_text(BinaryOp op) {
  switch (op) {
    case BinaryOp::add:
      return "+";
    case BinaryOp::sub:
      return "-";
    case BinaryOp::mul:
      return "*";
    case BinaryOp::div:
      return "/";
    default:
      return nullptr;
  }
}

bool is_constant_zero(const Value& value) {
  const auto* constant = std::get_if<Constant>(&value.node());
  return constant != nullptr && constant->value == 0;
}

// For every lane.
Truth truth_on_lanes(const Bound& bound, const LoopScope& scope, const Lanes& lanes) {
  size_t always = 0, never = 0;
  const LaneValues values = lane_values(bound.expr, scope, lanes);
  for (const IndexExpr& value : values) {
    const Truth truth = truth_of({value, bound.lower, bound.upper}, scope.ranges);
    always += truth == Truth::always ? 1 : 0;
    never += truth == Truth::never ? 1 : 0;
  }
  if (always == values.size()) return Truth::always;
  return never == values.size() ? Truth::never : Truth::sometimes;
}

}  // namespace

// A product with a factor that a bound excludes here is not written: in a border tile these are the
// taps in the padding.
bool KernelWriter::is_zero(const Value& value, const Lanes& lanes) const {
  if (const auto* node = std::get_if<std::shared_ptr<const Binary>>(&value.node())) {
    return (*node)->op == BinaryOp::mul &&
           (is_zero((*node)->left, lanes) || is_zero((*node)->right, lanes));
  }
  const auto* node = std::get_if<std::shared_ptr<const Select>>(&value.node());
  if (node == nullptr) return is_constant_zero(value);
  const bool excluded = std::ranges::any_of((*node)->bounds, [&](const Bound& bound) {
    return truth_on_lanes(bound, scope_, lanes) == Truth::never;
  });
  return is_zero((*node)->otherwise, lanes) && (excluded || is_zero((*node)->then, lanes));
}

std::string operand(const Code& code) {
  return code.is_operand ? code.text : "(" + code.text + ")";
}

std::string splat(const Code& code, int width) {
  return code.width == width ? code.text : vector_literal(width, code.text);
}

Code KernelWriter::value_code(const Value& value, const Lanes& lanes) {
  if (const auto* constant = std::get_if<Constant>(&value.node())) {
    return {float_literal(constant->value)};
  }
  if (const auto* load = std::get_if<Load>(&value.node())) return load_code(*load, lanes);
  if (const auto* node = std::get_if<std::shared_ptr<const Binary>>(&value.node())) {
    return binary_code(**node, lanes);
  }
  if (const auto* node = std::get_if<std::shared_ptr<const Unary>>(&value.node())) {
    return unary_code(**node, lanes);
  }
  return select_code(*std::get<std::shared_ptr<const Select>>(value.node()), lanes);
}

Code KernelWriter::binary_code(const Binary& node, const Lanes& lanes) {
  const Code left = value_code(node.left, lanes);
  const Code right = value_code(node.right, lanes);
  const int width = std::max(left.width, right.width);
  if (const char* op = operator_text(node.op)) {
    return {fmt::format("{} {} {}", operand(left), op, operand(right)), width, false};
  }
  return {fmt::format("{}({}, {})", node.op == BinaryOp::max ? "max" : "min", splat(left, width),
                      splat(right, width)),
          width};
}

Code KernelWriter::unary_code(const Unary& node, const Lanes& lanes) {
  const Code value = value_code(node.operand, lanes);
  const char* name = node.op == UnaryOp::exp ? "exp" : node.op == UnaryOp::tanh ? "tanh" : "erf";
  return {fmt::format("{}({})", name, value.text), value.width};
}

Code KernelWriter::select_code(const Select& node, const Lanes& lanes) {
  std::string condition;
  for (const Bound& bound : node.bounds) {
    const Truth truth = truth_on_lanes(bound, scope_, lanes);
    if (truth == Truth::always) continue;
    if (truth == Truth::never) return value_code(node.otherwise, lanes);
    const LaneValues values = lane_values(bound.expr, scope_, lanes);
    const Bound resolved{values[0], bound.lower, bound.upper};
    if (!is_uniform(values)) return lane_by_lane(node, lanes);
    if (sampler_covers(node, resolved, lanes)) continue;
    condition += (condition.empty() ? "" : " && ") + comparison_text(resolved, scope_);
  }
  if (condition.empty()) return value_code(node.then, lanes);
  return guarded_code(node, condition, lanes);
}

// A guarded scalar whose neighbours have the same guard: one guarded vector for all of them.
std::optional<Code> KernelWriter::guarded_neighbours(const Select& node,
                                                     const std::string& condition,
                                                     const Lanes& lanes) {
  const auto* load = std::get_if<Load>(&node.then.node());
  const auto* otherwise = std::get_if<Constant>(&node.otherwise.node());
  if (load == nullptr || otherwise == nullptr || is_speculative_) return std::nullopt;
  const Neighbours around = neighbours_of(*load, lanes);
  const bool same_guard = std::ranges::none_of(
      node.bounds, [&](const Bound& bound) { return bound.expr.mentions(around.variable); });
  if (around.width == 1 || !same_guard) return std::nullopt;
  const BufferView& view = view_of(load->buffer);
  const std::string text =
      fmt::format("({} ? {} : {})", condition, contiguous_text(view, around.first, around.width),
                  vector_literal(around.width, float_literal(otherwise->value)));
  return Code{
      component_text(named_load(view, text, around.width, true), around.width, {around.component})};
}

// `condition ? then : otherwise` for all lanes together.
Code KernelWriter::guarded_code(const Select& node, const std::string& condition,
                                const Lanes& lanes) {
  if (std::optional<Code> vector = guarded_neighbours(node, condition, lanes)) return *vector;
  const bool outside = is_speculative_;
  is_speculative_ = true;
  const Code then = value_code(node.then, lanes);
  const Code otherwise = value_code(node.otherwise, lanes);
  is_speculative_ = outside;
  const int width = std::max(then.width, otherwise.width);
  const std::string text = fmt::format(
      "{} ? {} : {}", condition,
      operand({splat(then, width), width, then.is_operand || then.width != width}),
      operand({splat(otherwise, width), width, otherwise.is_operand || otherwise.width != width}));
  const BufferView* input = first_input(node.then);
  if (input != nullptr && depends_on_inputs_only(node.then) &&
      depends_on_inputs_only(node.otherwise)) {
    return {named_load(*input, "(" + text + ")", width, !is_speculative_), width};
  }
  return {text, width, false};
}

Code KernelWriter::lane_by_lane(const Select& node, const Lanes& lanes) {
  CHECK(lanes.width > 1, "one lane is always uniform");
  std::string elements;
  for (int lane = 0; lane < lanes.width; ++lane) {
    const Code code = select_code(node, {lanes.variable, lanes.first + lane, 1});
    elements += (lane == 0 ? "" : ", ") + code.text;
  }
  return {vector_literal(lanes.width, elements), lanes.width};
}

// Where an image is read outside, the sampler gives the zero that the guard would give.
bool KernelWriter::sampler_covers(const Select& node, const Bound& resolved, const Lanes& lanes) {
  const auto* load = std::get_if<Load>(&node.then.node());
  if (load == nullptr || !is_constant_zero(node.otherwise)) return false;
  if (find_tile(load->buffer) != nullptr) return false;
  const BufferView& view = view_of(load->buffer);
  if (!view.is_image) return false;
  const Position& position = position_of(load->buffer, load->indices);
  const int64_t extents[] = {view.image.width, view.image.height};
  for (size_t i = 0; i < 2; ++i) {  // layers are clamped to the edge, never to zero
    const LaneValues values = lane_values(position[i], scope_, lanes);
    if (std::ranges::all_of(values, [&](const IndexExpr& coordinate) {
          return coordinate_covers(coordinate, extents[i], resolved, scope_.ranges);
        })) {
      return true;
    }
  }
  return false;
}

}  // namespace dovetail::opencl
