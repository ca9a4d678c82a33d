// SPDX-License-Identifier: Apache-2.0
// Arithmetic and guards: from a Value to an expression of OpenCL C, for all lanes at once.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/check.h"
#include "core/codegen/opencl/kernel_writer.h"

namespace dovetail::opencl {
namespace {

// The comparisons of a bound that its range does not already decide.
std::string comparison_text(const Bound& bound, const LoopScope& scope) {
  const Range range = range_of(bound.expr, scope.ranges);
  const std::string e = index_text(bound.expr, scope.index_context());
  const std::string lower = fmt::format("{} >= {}", e, bound.lower);
  const std::string upper = fmt::format("{} < {}", e, bound.upper);
  if (range.min >= bound.lower) return upper;
  if (range.max < bound.upper) return lower;
  return lower + " && " + upper;
}

// By BinaryOp; those whose text is a word are functions.
constexpr const char* kBinaryTexts[] = {"+", "-", "*", "/", "min", "max", "pow", "<", "<=", "=="};
const char* text_of(BinaryOp op) { return kBinaryTexts[static_cast<size_t>(op)]; }
bool is_function(BinaryOp op) {
  return op == BinaryOp::min || op == BinaryOp::max || op == BinaryOp::pow;
}

// A C scalar whose text needs no further parentheses.
Code scalar(std::string text, ComputedType type) { return {std::move(text), 1, true, false, type}; }

bool is_constant_zero(const Value& value) {
  const auto* constant = value.as<Constant>();
  return constant != nullptr && constant->value == 0;
}

// A vector literal whose elements are computed lane by lane.
template <typename CodeOf>
Code lane_by_lane(const Lanes& lanes, const CodeOf& code_of) {
  CHECK(lanes.width > 1, "one lane is always uniform");
  std::string elements;
  for (int lane = 0; lane < lanes.width; ++lane) {
    elements += lane == 0 ? "" : ", ";
    elements += code_of(Lanes{lanes.variable, lanes.first + lane, 1}).text;
  }
  return {vector_literal(lanes.width, elements), lanes.width};
}

// Always or never only where the bound is so in every lane.
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

// A product with a factor that a bound makes zero here is not written: in a border tile these are
// the taps in the padding.
bool KernelWriter::is_zero(const Value& value, const Lanes& lanes) const {
  if (const auto* node = value.as<Binary>())
    return node->op == BinaryOp::mul && (is_zero(node->left, lanes) || is_zero(node->right, lanes));
  const auto* node = value.as<Select>();
  if (node == nullptr) return is_constant_zero(value);
  const bool excluded = std::ranges::any_of(node->bounds, [&](const Bound& bound) {
    return truth_on_lanes(bound, scope_, lanes) == Truth::never;
  });
  return is_zero(node->otherwise, lanes) && (excluded || is_zero(node->then, lanes));
}

std::string operand(const Code& code) {
  return code.is_operand ? code.text : "(" + code.text + ")";
}

std::string splat(const Code& code, int width) {
  return code.width == width ? code.text : vector_literal(width, code.text);
}

// Only float expressions are vectors; expressions with integers or booleans are written lane by
// lane.
bool KernelWriter::is_vectorizable(const Value& value) const {
  return !any_node(value, [&](const Value& node) {
    const auto* b = node.as<Binary>();
    return node.as<IndexValue>() != nullptr || node.as<Choose>() != nullptr ||
           node.as<Cast>() != nullptr || (b != nullptr && is_comparison(b->op)) ||
           type_of_load(node) != ComputedType::real;
  });
}

Code KernelWriter::value_code(const Value& value, const Lanes& lanes) {
  if (lanes.width > 1 && !is_vectorizable(value))
    return lane_by_lane(lanes, [&](const Lanes& one) { return real_code(value, one); });
  if (const auto* constant = value.as<Constant>()) return {float_literal(constant->value)};
  if (const auto* load = value.as<Load>()) return load_code(*load, lanes);
  if (const auto* node = value.as<Binary>()) return binary_code(*node, lanes);
  if (const auto* node = value.as<Unary>()) return unary_code(*node, lanes);
  if (const auto* node = value.as<Select>()) return select_code(*node, lanes);
  return scalar_code(value, lanes);
}

Code KernelWriter::real_code(const Value& value, const Lanes& lanes) {
  Code code = value_code(value, lanes);
  if (code.type == ComputedType::real) return code;
  return {fmt::format("(float)({})", code.text), 1};
}

Code KernelWriter::whole_code(const Value& value, const Lanes& lanes) {
  if (const auto* constant = value.as<Constant>())
    return scalar(whole_literal(constant->value), ComputedType::integer);
  return value_code(value, lanes);
}

namespace {

// The text of a scalar cast: a narrower type rounds or wraps as when stored.
std::string cast_text(ElementType to, const Code& code) {
  const ComputedType type = computed_type(to);
  if (type == ComputedType::boolean) return fmt::format("({} != 0)", operand(code));
  if (to == ElementType::bf16) return fmt::format("from_bfloat(to_bfloat({}))", code.text);
  if (is_tf32(to)) return fmt::format("rounded_{}({})", name_of(to), code.text);
  if (type == ComputedType::real)
    return fmt::format("{}({})", to == ElementType::f16 ? "rounded_half" : "(float)", code.text);
  const bool is_long = to == ElementType::i64 || to == ElementType::u32;
  const std::string whole =
      code.type == ComputedType::real
          ? fmt::format("{}({})", is_long ? "truncated_long" : "truncated_int", code.text)
          : fmt::format("(long)({})", code.text);
  return to == ElementType::i64 ? whole : fmt::format("(long)({}){}", element_text(to), whole);
}

}  // namespace

// Scalar-only nodes: an index as a number, a choice and a cast.
Code KernelWriter::scalar_code(const Value& value, const Lanes& lanes) {
  if (const auto* at = value.as<IndexValue>()) {
    const IndexExpr e = lane_values(at->index, scope_, lanes)[0];
    return scalar(fmt::format("(long)({})", index(e)), ComputedType::integer);
  }
  if (const auto* c = value.as<Choose>()) {
    const Code condition = value_code(c->condition, lanes);
    Code then = value_code(c->then, lanes), otherwise = value_code(c->otherwise, lanes);
    const ComputedType type = c->then.as<Constant>() == nullptr ? then.type : otherwise.type;
    if (type != ComputedType::real) {
      then = whole_code(c->then, lanes);
      otherwise = whole_code(c->otherwise, lanes);
    }
    return scalar(
        fmt::format("(({}) != 0 ? {} : {})", condition.text, operand(then), operand(otherwise)),
        type);
  }
  const auto* cast = value.as<Cast>();
  CHECK(cast != nullptr, "a value of a program: " + print(value));
  const ComputedType type = computed_type(cast->type);
  const bool is_number = cast->operand.as<Constant>() != nullptr && type == ComputedType::integer;
  const Code code = is_number ? whole_code(cast->operand, lanes) : value_code(cast->operand, lanes);
  return scalar(cast_text(cast->type, code), type);
}

// Precondition: the operands are scalars, and at least one is not a float unless the two are
// compared: C converts numbers implicitly.
Code KernelWriter::integer_code(const Binary& node, const Code& left, const Code& right) const {
  const ComputedType type = node.left.as<Constant>() == nullptr ? left.type : right.type;
  const auto text = [&](const Value& value, const Code& code) {
    const auto* constant = value.as<Constant>();
    if (constant == nullptr || type == ComputedType::real) return operand(code);
    return whole_literal(constant->value);
  };
  const std::string a = text(node.left, left), b = text(node.right, right);
  const ComputedType result = is_comparison(node.op) ? ComputedType::boolean : type;
  if (node.op == BinaryOp::div)  // x / 0 is 0 and does not trap
    return scalar(fmt::format("({1} == 0 ? 0L : {0} / {1})", a, b), type);
  if (is_function(node.op))
    return scalar(fmt::format("{}((long){}, (long){})", text_of(node.op), a, b), type);
  return scalar(fmt::format("({} {} {})", a, text_of(node.op), b), result);
}

Code KernelWriter::binary_code(const Binary& node, const Lanes& lanes) {
  const Code left = value_code(node.left, lanes);
  const Code right = value_code(node.right, lanes);
  const int width = std::max(left.width, right.width);
  const bool whole = (left.type != ComputedType::real && node.left.as<Constant>() == nullptr) ||
                     (right.type != ComputedType::real && node.right.as<Constant>() == nullptr);
  if (whole || is_comparison(node.op)) return integer_code(node, left, right);
  if (!is_function(node.op))
    return {fmt::format("{} {} {}", operand(left), text_of(node.op), operand(right)), width, false};
  // The built-in's result for NaN is unspecified; with a constant operand, the other operand comes
  // first.
  const bool has_number =
      node.left.as<Constant>() != nullptr || node.right.as<Constant>() != nullptr;
  const std::string function = node.op == BinaryOp::pow || has_number
                                   ? text_of(node.op)
                                   : extremum_function(node.op == BinaryOp::max, width);
  const bool turns = node.op != BinaryOp::pow && node.left.as<Constant>() != nullptr;
  return {fmt::format("{}({}, {})", function, splat(turns ? right : left, width),
                      splat(turns ? left : right, width)),
          width};
}

Code KernelWriter::unary_code(const Unary& node, const Lanes& lanes) {
  const Code value = value_code(node.operand, lanes);
  if (value.type != ComputedType::real) {  // abs and floor
    if (node.op != UnaryOp::abs) return value;
    return scalar(fmt::format("(long)abs({})", value.text), value.type);
  }
  constexpr const char* kNames[] = {"exp",   "tanh", "erf", "log", "sqrt", "",
                                    "floor", "fabs", "sin", "cos", "atan"};
  // The built-in rsqrt may be 2 ulp off; sqrt is exact on most devices.
  if (node.op == UnaryOp::rsqrt)
    return {fmt::format("1.0f / sqrt({})", value.text), value.width, false};
  return {fmt::format("{}({})", kNames[static_cast<size_t>(node.op)], value.text), value.width};
}

// The branch that is statically taken. A constant in it has the select's type, which only the other
// branch may determine: `(0 <= b < 1) ? inf : Y[b]` is the greatest integer where b is 0.
Code KernelWriter::branch_code(const Select& node, const Value& branch, const Lanes& lanes) {
  const Value& typed = node.then.as<Constant>() == nullptr ? node.then : node.otherwise;
  const ComputedType type =
      type_of(typed, [this](const Value& leaf) { return type_of_load(leaf); });
  return type == ComputedType::real ? value_code(branch, lanes) : whole_code(branch, lanes);
}

Code KernelWriter::select_code(const Select& node, const Lanes& lanes) {
  std::string condition;
  for (const Bound& bound : node.bounds) {
    const Truth truth = truth_on_lanes(bound, scope_, lanes);
    if (truth == Truth::always) continue;
    if (truth == Truth::never) return branch_code(node, node.otherwise, lanes);
    const LaneValues values = lane_values(bound.expr, scope_, lanes);
    const Bound resolved{values[0], bound.lower, bound.upper};
    if (!is_uniform(values))
      return lane_by_lane(lanes, [&](const Lanes& one) { return select_code(node, one); });
    if (sampler_covers(node, resolved, lanes)) continue;
    condition += (condition.empty() ? "" : " && ") + comparison_text(resolved, scope_);
  }
  if (condition.empty()) return branch_code(node, node.then, lanes);
  return guarded_code(node, condition, lanes);
}

// A guarded scalar whose neighbours have the same guard becomes one guarded vector load.
std::optional<Code> KernelWriter::guarded_neighbours(const Select& node,
                                                     const std::string& condition,
                                                     const Lanes& lanes) {
  const auto* load = node.then.as<Load>();
  const auto* otherwise = node.otherwise.as<Constant>();
  if (load == nullptr || otherwise == nullptr || is_speculative_ ||
      type_of_load(*load) != ComputedType::real)
    return std::nullopt;
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
  Code then = value_code(node.then, lanes), otherwise = value_code(node.otherwise, lanes);
  const ComputedType type = node.then.as<Constant>() == nullptr ? then.type : otherwise.type;
  if (type != ComputedType::real) {
    then = whole_code(node.then, lanes);
    otherwise = whole_code(node.otherwise, lanes);
  }
  is_speculative_ = outside;
  const int width = std::max(then.width, otherwise.width);
  const std::string text = fmt::format(
      "{} ? {} : {}", condition,
      operand({splat(then, width), width, then.is_operand || then.width != width}),
      operand({splat(otherwise, width), width, otherwise.is_operand || otherwise.width != width}));
  if (type != ComputedType::real) return scalar("(" + text + ")", type);
  const BufferView* input = first_input(node.then);
  if (input != nullptr && depends_on_inputs_only(node.then) &&
      depends_on_inputs_only(node.otherwise))
    return {named_load(*input, "(" + text + ")", width, !is_speculative_), width};
  return {text, width, false};
}

// Whether the sampler, which returns zero outside of the image, makes the guard redundant.
bool KernelWriter::sampler_covers(const Select& node, const Bound& resolved, const Lanes& lanes) {
  const auto* load = node.then.as<Load>();
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
        }))
      return true;
  }
  return false;
}

}  // namespace dovetail::opencl
