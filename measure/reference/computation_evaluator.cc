// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/computation_evaluator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/check.h"

namespace dovetail {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// An index over numbered variables.
struct SlotIndex {
  struct Division {
    int64_t coefficient, divisor;
    bool is_div;
    std::vector<SlotIndex> inner;  // one
  };
  int64_t constant = 0;
  std::vector<std::pair<size_t, int64_t>> terms;
  std::vector<Division> divisions;

  int64_t at(const std::vector<int64_t>& variables) const {
    int64_t total = constant;
    for (const auto& [slot, coefficient] : terms) total += coefficient * variables[slot];
    for (const Division& d : divisions) {
      const int64_t inside = d.inner[0].at(variables);
      const int64_t rest = ((inside % d.divisor) + d.divisor) % d.divisor;
      total += d.coefficient * (d.is_div ? (inside - rest) / d.divisor : rest);
    }
    return total;
  }
};

struct Limits {
  SlotIndex index;
  int64_t lower = 0, upper = 0;
};

// A read element, or what stands for it outside its tensor.
struct Read {
  std::vector<SlotIndex> indices = {};
  std::vector<int64_t> extents = {};
  std::vector<Limits> conditions = {};
  ArrayView values = {};
  const std::vector<double>* errors = nullptr;  // none: exact
  double outside = 0;
};

// One of the two counts, as the type of the node says.
struct BoundedValue {
  BoundedNumber real = {};
  BoundedInteger whole = {};
};

enum class NodeKind : uint8_t {
  constant,
  read,
  reduced,
  index,
  binary,
  comparison,
  unary,
  select,
  choose,
  cast
};

struct Node {
  NodeKind kind = NodeKind::constant;
  ComputedType type = ComputedType::real;
  double number = 0;  // of a constant
  size_t read = 0;
  BinaryOp binary = BinaryOp::add;
  UnaryOp unary = UnaryOp::exp;
  ElementType cast = ElementType::f32;
  SlotIndex index = {};
  std::vector<Limits> bounds = {};
  std::vector<size_t> operands = {};
};

bool is_real(ComputedType type) { return type == ComputedType::real; }

// What a number stands for where integers are computed: an infinity is beyond all of them.
int64_t whole_number(double number) {
  if (number >= 0x1p63) return std::numeric_limits<int64_t>::max();
  return integer_of(number, ElementType::i64);
}

class ComputationEvaluator {
 public:
  ComputationEvaluator(const Computation& c, const RegionViews& given, const RegionValues& made,
                       const SumBound& sums)
      : c_(c), sums_(sums) {
    for (const Axis& axis : c.axes) slots_.push_back(axis.name);
    for (const ChosenIndex& index : c.chosen) slots_.push_back(index.name);
    variables_.resize(slots_.size());
    for (const Access& access : c.reads) reads_.push_back(prepared(access, given, made));
    element_ = add(c.element, ComputedType::real);
    reduced_type_ = nodes_[element_].type;
    if (c.reducer != Reducer::none && reduced_type_ == ComputedType::boolean)
      element_ = keep({.kind = NodeKind::cast, .operands = {element_}});
    reduced_type_ = nodes_[element_].type;
    for (const ChosenIndex& index : c.chosen)
      chosen_.push_back(add(index.value, ComputedType::integer));
    result_ = add(c.result, reduced_type_);
  }

  BoundedTensor run() {
    const Tensor& output = tensor_named(c_, c_.output.tensor);
    size_t outputs = 0;
    while (outputs < c_.axes.size() && !c_.axes[outputs].reduction) ++outputs;
    const bool real = computed_type(output.type) == ComputedType::real;
    std::vector<double> reals, errors;
    std::vector<int64_t> integers;
    do {
      const BoundedValue one = element_at(outputs);
      if (real) {
        const BoundedNumber kept = stored(one.real, output.type);
        reals.push_back(kept.value);
        errors.push_back(kept.error);
      } else {
        const BoundedInteger kept = stored(one.whole, output.type);
        integers.push_back(kept.value);
        errors.push_back(kept.error);
      }
    } while (next(0, outputs));
    const std::vector<int64_t> shape = shape_of(output);
    Array values = real ? Array(ElementType::f64, shape, std::move(reals))
                        : Array(ElementType::i64, shape, std::move(integers));
    return {std::move(values), std::move(errors)};
  }

 private:
  SlotIndex prepared(const IndexExpr& e) const {
    SlotIndex result;
    result.constant = e.constant();
    for (const IndexTerm& term : e.terms()) {
      if (term.atom.kind != IndexAtom::Kind::variable) {
        result.divisions.push_back({term.coefficient,
                                    term.atom.divisor,
                                    term.atom.kind == IndexAtom::Kind::div,
                                    {prepared(*term.atom.inner)}});
        continue;
      }
      const auto slot = std::ranges::find(slots_, term.atom.variable);
      CHECK(slot != slots_.end(), "an index over axes: " + term.atom.variable);
      result.terms.emplace_back(static_cast<size_t>(slot - slots_.begin()), term.coefficient);
    }
    return result;
  }

  std::vector<Limits> prepared(const std::vector<Bound>& bounds) const {
    std::vector<Limits> limits;
    for (const Bound& bound : bounds)
      limits.push_back({prepared(bound.expr), bound.lower, bound.upper});
    return limits;
  }

  Read prepared(const Access& access, const RegionViews& given, const RegionValues& made) const {
    Read read{.conditions = prepared(access.conditions), .outside = access.outside};
    for (const IndexExpr& e : access.indices) read.indices.push_back(prepared(e));
    for (const LogicalDim& dim : tensor_named(c_, access.tensor).dims)
      read.extents.push_back(dim.extent);
    if (const auto own = made.find(access.tensor); own != made.end()) {
      read.values = own->second.values;
      read.errors = &own->second.errors;
    } else {
      read.values = given.find(access.tensor)->second;
    }
    return read;
  }

  ComputedType type_of(const Value& value) const {
    return dovetail::type_of(value, [&](const Value& leaf) {
      const auto* read = leaf.as<ReadOf>();
      if (read == nullptr) return reduced_type_;
      const Access& access = c_.reads[static_cast<size_t>(read->position)];
      return computed_type(tensor_named(c_, access.tensor).type);
    });
  }

  size_t keep(Node node) {
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
  }

  // The type of two operands; a number takes that of the other one, or the type that is wanted.
  ComputedType common(const Value& a, const Value& b, ComputedType wanted) const {
    if (a.as<Constant>() == nullptr) return type_of(a);
    return b.as<Constant>() == nullptr ? type_of(b) : wanted;
  }

  // `wanted` is the type of a number, which has none of its own.
  size_t add(const Value& value, ComputedType wanted) {
    if (const auto* constant = value.as<Constant>())
      return keep({.kind = NodeKind::constant, .type = wanted, .number = constant->value});
    if (const auto* r = value.as<ReadOf>())
      return keep({.kind = NodeKind::read,
                   .type = type_of(value),
                   .read = static_cast<size_t>(r->position)});
    if (value.as<Reduced>() != nullptr)
      return keep({.kind = NodeKind::reduced, .type = reduced_type_});
    if (const auto* at = value.as<IndexValue>())
      return keep(
          {.kind = NodeKind::index, .type = ComputedType::integer, .index = prepared(at->index)});
    if (const auto* b = value.as<Binary>()) return add(*b, wanted);
    if (const auto* u = value.as<Unary>()) {
      const size_t operand = add(u->operand, wanted);
      return keep({.kind = NodeKind::unary,
                   .type = nodes_[operand].type,
                   .unary = u->op,
                   .operands = {operand}});
    }
    if (const auto* s = value.as<Select>()) {
      const ComputedType type = common(s->then, s->otherwise, wanted);
      return keep({.kind = NodeKind::select,
                   .type = type,
                   .bounds = prepared(s->bounds),
                   .operands = {add(s->then, type), add(s->otherwise, type)}});
    }
    if (const auto* c = value.as<Choose>()) {
      const ComputedType type = common(c->then, c->otherwise, wanted);
      const size_t condition = add(c->condition, ComputedType::boolean);
      return keep({.kind = NodeKind::choose,
                   .type = type,
                   .operands = {condition, add(c->then, type), add(c->otherwise, type)}});
    }
    const auto* c = value.as<Cast>();
    CHECK(c != nullptr, "a value of a computation");
    const size_t operand = add(c->operand, ComputedType::real);
    return keep({.kind = NodeKind::cast,
                 .type = computed_type(c->type),
                 .cast = c->type,
                 .operands = {operand}});
  }

  size_t add(const Binary& b, ComputedType wanted) {
    const bool compares = is_comparison(b.op);
    const ComputedType type = common(b.left, b.right, compares ? ComputedType::real : wanted);
    const size_t left = add(b.left, type), right = add(b.right, type);
    return keep({.kind = compares ? NodeKind::comparison : NodeKind::binary,
                 .type = compares ? ComputedType::boolean : type,
                 .binary = b.op,
                 .operands = {left, right}});
  }

  // The next values of axes [first, last), the last one fastest; false after the end.
  bool next(size_t first, size_t last) {
    for (size_t a = last; a-- > first;) {
      if (++variables_[a] < c_.axes[a].extent) return true;
      variables_[a] = 0;
    }
    return false;
  }

  BoundedValue element_at(size_t outputs) {
    BoundedValue total;
    if (c_.reducer == Reducer::none) {
      choose();
      return closed(evaluate(element_, {}));
    }
    total.real.value = neutral(c_.reducer);
    total.whole.value = whole_number(neutral(c_.reducer));
    for (size_t a = outputs; a < c_.axes.size(); ++a) variables_[a] = 0;
    SumOfTerms sum(sums_);
    do {
      choose();
      const BoundedValue one = closed(evaluate(element_, {}));
      if (c_.reducer == Reducer::sum && is_real(reduced_type_))
        sum.add(one.real);
      else
        join(one, total);
    } while (next(outputs, c_.axes.size()));
    if (c_.reducer == Reducer::sum && is_real(reduced_type_)) total.real = sum.total();
    return evaluate(result_, total);
  }

  void join(const BoundedValue& one, BoundedValue& total) const {
    const BinaryOp op = operation_of(c_.reducer);
    if (!is_real(reduced_type_)) {
      total.whole = apply(op, total.whole, one.whole);
      return;
    }
    const bool has_nan = std::isnan(total.real.value) || std::isnan(one.real.value);
    total.real = apply(op, total.real, one.real);
    // A NaN among those of which the largest is taken may be passed over, or come out.
    if (has_nan && op != BinaryOp::mul) total.real.error = kUnbounded;
  }

  // What data chose with an error may be another element altogether.
  BoundedValue closed(BoundedValue value) const {
    if (!chosen_by_error_) return value;
    value.real.error = value.whole.error = kUnbounded;
    return value;
  }

  void choose() {
    chosen_by_error_ = false;
    for (size_t k = 0; k < chosen_.size(); ++k) {
      const BoundedInteger named = evaluate(chosen_[k], {}).whole;
      chosen_by_error_ = chosen_by_error_ || named.error > 0;
      variables_[c_.axes.size() + k] = std::clamp<int64_t>(named.value, 0, c_.chosen[k].extent - 1);
    }
  }

  bool holds(const std::vector<Limits>& bounds) const {
    return std::ranges::all_of(bounds, [&](const Limits& bound) {
      const int64_t at = bound.index.at(variables_);
      return bound.lower <= at && at < bound.upper;
    });
  }

  BoundedValue number(double value, ComputedType type) const {
    if (!is_real(type)) return {.whole = {whole_number(value), 0}};
    const double rounded = static_cast<float>(value);
    const bool overflows = !std::isfinite(rounded);
    return {.real = {overflows ? rounded : value, overflows ? 0 : std::abs(rounded - value)}};
  }

  BoundedValue read(const Read& read, ComputedType type) const {
    if (!holds(read.conditions)) return number(read.outside, type);
    size_t flat = 0;
    for (size_t j = 0; j < read.indices.size(); ++j) {
      const int64_t at = read.indices[j].at(variables_);
      if (at < 0 || at >= read.extents[j]) return number(read.outside, type);
      flat = flat * static_cast<size_t>(read.extents[j]) + static_cast<size_t>(at);
    }
    const double error = read.errors == nullptr ? 0 : (*read.errors)[flat];
    if (is_real(type)) {
      const double value = read.values.real(flat);
      // Code reads a double as f32.
      const bool is_wide = read.errors == nullptr && read.values.type() == ElementType::f64;
      const double narrowed = is_wide ? std::abs(static_cast<float>(value) - value) : 0;
      return {.real = {value, std::isfinite(narrowed) ? error + narrowed : error}};
    }
    return {.whole = {read.values.integer(flat), error}};
  }

  BoundedValue evaluate(size_t node, const BoundedValue& reduced) const {
    const Node& n = nodes_[node];
    const auto operand = [&](size_t k) { return evaluate(n.operands[k], reduced); };
    switch (n.kind) {
      case NodeKind::constant: return number(n.number, n.type);
      case NodeKind::read: return read(reads_[n.read], n.type);
      case NodeKind::reduced: return reduced;
      case NodeKind::index: return {.whole = {n.index.at(variables_), 0}};
      case NodeKind::binary: return combined(n, operand(0), operand(1), reduced);
      case NodeKind::comparison: {
        const bool real = is_real(nodes_[n.operands[0]].type);
        const BoundedValue a = operand(0), b = operand(1);
        return {.whole =
                    real ? compare(n.binary, a.real, b.real) : compare(n.binary, a.whole, b.whole)};
      }
      case NodeKind::unary:
        if (!is_real(n.type)) return {.whole = apply(n.unary, operand(0).whole)};
        return {.real = apply(n.unary, operand(0).real)};
      case NodeKind::select: return operand(holds(n.bounds) ? 0 : 1);
      case NodeKind::choose: return chosen_by_data(n, reduced);
      case NodeKind::cast: break;
    }
    return cast(n, operand(0));
  }

  BoundedValue cast(const Node& n, const BoundedValue& operand) const {
    const bool from_real = is_real(nodes_[n.operands[0]].type);
    if (is_real(n.type))
      return {.real = stored(from_real ? operand.real : real_of(operand.whole), n.cast)};
    return {.whole = from_real ? integer_of(operand.real, n.cast) : stored(operand.whole, n.cast)};
  }

  BoundedValue combined(const Node& n, const BoundedValue& a, const BoundedValue& b,
                        const BoundedValue& reduced) const {
    if (!is_real(n.type)) return {.whole = apply(n.binary, a.whole, b.whole)};
    BoundedNumber result = apply(n.binary, a.real, b.real);
    if (n.binary != BinaryOp::add && n.binary != BinaryOp::sub) return {.real = result};
    // A product that overflows by itself may not do so where code adds it in one multiply-add.
    for (size_t k = 0; k < 2; ++k) {
      const Node& product = nodes_[n.operands[k]];
      const BoundedNumber& overflowing = k == 0 ? a.real : b.real;
      if (product.kind != NodeKind::binary || product.binary != BinaryOp::mul ||
          !std::isinf(overflowing.value))
        continue;
      const double exact = evaluate(product.operands[0], reduced).real.value *
                           evaluate(product.operands[1], reduced).real.value;
      const double other = k == 0 ? b.real.value : a.real.value;
      const double first = k == 0 ? exact : other;
      const double second = k == 0 ? other : exact;
      const double joint =
          overflowed(n.binary == BinaryOp::add ? first + second : first - second, ElementType::f32);
      if (joint != result.value && !(std::isnan(joint) && std::isnan(result.value)))
        result.error = kUnbounded;
    }
    return {.real = result};
  }

  BoundedValue chosen_by_data(const Node& n, const BoundedValue& reduced) const {
    const BoundedInteger condition = truth_of(n.operands[0], reduced);
    const BoundedValue then = evaluate(n.operands[1], reduced);
    const BoundedValue otherwise = evaluate(n.operands[2], reduced);
    BoundedValue result = condition.value != 0 ? then : otherwise;
    if (condition.error == 0) return result;
    if (!is_real(n.type)) {
      const double apart = std::abs(static_cast<double>(then.whole.value) -
                                    static_cast<double>(otherwise.whole.value));
      result.whole.error = std::max(then.whole.error, otherwise.whole.error) + apart;
      return result;
    }
    result.real.error = std::max(then.real.error, otherwise.real.error) +
                        std::abs(then.real.value - otherwise.real.value);
    if (std::isnan(result.real.error)) result.real.error = kUnbounded;
    return result;
  }

  BoundedInteger truth_of(size_t node, const BoundedValue& reduced) const {
    const BoundedValue value = evaluate(node, reduced);
    if (is_real(nodes_[node].type)) return integer_of(value.real, ElementType::boolean);
    return stored(value.whole, ElementType::boolean);
  }

  const Computation& c_;
  SumBound sums_;
  std::vector<std::string> slots_;
  std::vector<int64_t> variables_;
  std::vector<Read> reads_;
  std::vector<Node> nodes_;
  ComputedType reduced_type_ = ComputedType::real;
  size_t element_ = 0, result_ = 0;
  std::vector<size_t> chosen_;
  bool chosen_by_error_ = false;
};

}  // namespace

BoundedTensor evaluate_computation(const Computation& computation, const RegionViews& given,
                                   const RegionValues& made, const SumBound& sums) {
  return ComputationEvaluator(computation, given, made, sums).run();
}

}  // namespace dovetail
