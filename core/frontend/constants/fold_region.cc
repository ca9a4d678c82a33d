// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/constants/fold_region.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/half.h"
#include "core/frontend/constants/folded_number.h"
#include "core/ir/value/value.h"

namespace dovetail {
namespace {

// An index over numbered variables: a sum of them, and of quotients and remainders of sums.
struct NumberedIndex {
  struct Term {
    int64_t coefficient = 0;
    size_t variable = 0;
    std::vector<NumberedIndex> inner;  // one for a division, else none
    int64_t divisor = 0;
    bool is_div = false;
  };
  int64_t constant = 0;
  std::vector<Term> terms;

  int64_t at(const std::vector<int64_t>& variables) const {
    int64_t total = constant;
    for (const Term& term : terms) {
      if (term.inner.empty()) {
        total += term.coefficient * variables[term.variable];
        continue;
      }
      const int64_t inside = term.inner[0].at(variables);
      const int64_t rest = (inside % term.divisor + term.divisor) % term.divisor;
      total += term.coefficient * (term.is_div ? (inside - rest) / term.divisor : rest);
    }
    return total;
  }
};

struct NumberedBound {
  NumberedIndex index;
  int64_t lower = 0, upper = 0;
  bool holds(const std::vector<int64_t>& variables) const {
    const int64_t at = index.at(variables);
    return lower <= at && at < upper;
  }
};

struct NumberedRead {
  std::vector<NumberedIndex> indices;
  std::vector<int64_t> extents;
  std::vector<NumberedBound> conditions;
  const std::vector<FoldedNumber>* elements = nullptr;
  FoldedNumber outside;
};

// One node of a value; its operands are earlier steps.
struct Step {
  enum class Kind : uint8_t { constant, read, reduced, index, binary, unary, select, choose, cast };
  Kind kind = Kind::constant;
  ComputedType type = ComputedType::real;  // operand type
  ComputedType result = ComputedType::real;
  size_t a = 0, b = 0, c = 0;  // steps of the operands; a of a read: its position
  FoldedNumber constant = {};
  NumberedIndex index = {};
  std::vector<NumberedBound> bounds = {};
  BinaryOp binary = BinaryOp::add;
  UnaryOp unary = UnaryOp::abs;
};

using Elements = std::map<std::string, std::vector<FoldedNumber>, std::less<>>;

class ComputationSteps {
 public:
  ComputationSteps(const Computation& c, const Elements& known) : c_(c) {
    for (const Axis& axis : c.axes) slots_.push_back(axis.name);
    for (const ChosenIndex& index : c.chosen) slots_.push_back(index.name);
    variables_.resize(slots_.size());
    for (const Access& access : c.reads) {
      reads_.push_back(numbered(access, known));
      types_.push_back(computed_type(tensor_named(c, access.tensor).type));
    }
    for (const ChosenIndex& index : c.chosen) chosen_.push_back(steps_of(index.value));
    element_ = steps_of(c.element);
    reduced_type_ = type(c.element);
    result_ = steps_of(c.result);
  }

  std::optional<std::vector<FoldedNumber>> run() {
    std::vector<FoldedNumber> result;
    size_t outputs = 0;
    while (outputs < c_.axes.size() && !c_.axes[outputs].reduction) ++outputs;
    do {
      result.push_back(element_at(outputs));
    } while (next(0, outputs));
    if (undefined_) return std::nullopt;
    return result;
  }

 private:
  using Steps = std::vector<Step>;

  NumberedIndex numbered(const IndexExpr& e) const {
    NumberedIndex result;
    result.constant = e.constant();
    for (const IndexTerm& term : e.terms()) {
      NumberedIndex::Term one;
      one.coefficient = term.coefficient;
      if (term.atom.kind == IndexAtom::Kind::variable) {
        const auto slot = std::ranges::find(slots_, term.atom.variable);
        CHECK(slot != slots_.end(), "an index over axes: " + term.atom.variable);
        one.variable = static_cast<size_t>(slot - slots_.begin());
      } else {
        one.inner = {numbered(*term.atom.inner)};
        one.divisor = term.atom.divisor;
        one.is_div = term.atom.kind == IndexAtom::Kind::div;
      }
      result.terms.push_back(std::move(one));
    }
    return result;
  }

  std::vector<NumberedBound> numbered(const std::vector<Bound>& bounds) const {
    std::vector<NumberedBound> result;
    for (const Bound& bound : bounds)
      result.push_back({numbered(bound.expr), bound.lower, bound.upper});
    return result;
  }

  NumberedRead numbered(const Access& access, const Elements& known) const {
    NumberedRead read;
    for (const IndexExpr& e : access.indices) read.indices.push_back(numbered(e));
    read.extents = shape_of(tensor_named(c_, access.tensor));
    read.conditions = numbered(access.conditions);
    read.elements = &known.find(access.tensor)->second;
    read.outside = {access.outside, truncated(access.outside)};
    return read;
  }

  ComputedType type(const Value& value) const {
    return type_of(value, [&](const Value& leaf) {
      const auto* read = leaf.as<ReadOf>();
      return read == nullptr ? reduced_type_ : types_[static_cast<size_t>(read->position)];
    });
  }

  Steps steps_of(const Value& value) const {
    Steps steps;
    add(value, steps);
    return steps;
  }

  // Appends the steps of a value and returns the place of the one that computes it.
  size_t add(const Value& value, Steps& steps) const {
    Step step;
    step.result = step.type = type(value);
    if (const auto* constant = value.as<Constant>()) {
      step.constant = {constant->value, truncated(constant->value)};
    } else if (const auto* read = value.as<ReadOf>()) {
      step.kind = Step::Kind::read;
      step.a = static_cast<size_t>(read->position);
    } else if (value.as<Reduced>() != nullptr) {
      step.kind = Step::Kind::reduced;
    } else if (const auto* at = value.as<IndexValue>()) {
      step.kind = Step::Kind::index;
      step.index = numbered(at->index);
    } else {
      add_operation(value, step, steps);
    }
    steps.push_back(std::move(step));
    return steps.size() - 1;
  }

  void add_operation(const Value& value, Step& step, Steps& steps) const {
    if (const auto* binary = value.as<Binary>()) {
      step.kind = Step::Kind::binary;
      step.binary = binary->op;
      step.type = type(binary->left.as<Constant>() == nullptr ? binary->left : binary->right);
      step.a = add(binary->left, steps);
      step.b = add(binary->right, steps);
    } else if (const auto* unary = value.as<Unary>()) {
      step.kind = Step::Kind::unary;
      step.unary = unary->op;
      step.a = add(unary->operand, steps);
    } else if (const auto* select = value.as<Select>()) {
      step.kind = Step::Kind::select;
      step.bounds = numbered(select->bounds);
      step.a = add(select->then, steps);
      step.b = add(select->otherwise, steps);
    } else if (const auto* choose = value.as<Choose>()) {
      step.kind = Step::Kind::choose;
      step.type = type(choose->condition);
      step.a = add(choose->then, steps);
      step.b = add(choose->otherwise, steps);
      step.c = add(choose->condition, steps);
    } else if (const auto* cast = value.as<Cast>()) {
      step.kind = Step::Kind::cast;
      step.type = type(cast->operand);
      step.a = add(cast->operand, steps);
    }
  }

  // Advances axes [first, last), the last one fastest; false after the end.
  bool next(size_t first, size_t last) {
    for (size_t a = last; a-- > first;) {
      if (++variables_[a] < c_.axes[a].extent) return true;
      variables_[a] = 0;
    }
    return false;
  }

  FoldedNumber element_at(size_t outputs) {
    if (c_.reducer == Reducer::none) {
      choose();
      return evaluate(element_, {});
    }
    const double start = neutral(c_.reducer);
    FoldedNumber total{start, truncated(start)};
    for (size_t a = outputs; a < c_.axes.size(); ++a) variables_[a] = 0;
    do {
      choose();
      const FoldedNumber one = evaluate(element_, {});
      const BinaryOp op = operation_of(c_.reducer);
      if (reduced_type_ == ComputedType::real)
        total.real = joined(op, total.real, one.real);
      else
        total.whole = joined(op, total.whole, one.whole).value_or(0);
    } while (next(outputs, c_.axes.size()));
    return evaluate(result_, total);
  }

  void choose() {
    for (size_t k = 0; k < chosen_.size(); ++k)
      variables_[c_.axes.size() + k] =
          std::clamp<int64_t>(evaluate(chosen_[k], {}).whole, 0, c_.chosen[k].extent - 1);
  }

  FoldedNumber element_of(const NumberedRead& read) const {
    for (const NumberedBound& condition : read.conditions)
      if (!condition.holds(variables_)) return read.outside;
    size_t flat = 0;
    for (size_t j = 0; j < read.indices.size(); ++j) {
      const int64_t at = read.indices[j].at(variables_);
      if (at < 0 || at >= read.extents[j]) return read.outside;
      flat = flat * static_cast<size_t>(read.extents[j]) + static_cast<size_t>(at);
    }
    return (*read.elements)[flat];
  }

  FoldedNumber evaluate(const Steps& steps, const FoldedNumber& reduced) {
    numbers_.resize(std::max(numbers_.size(), steps.size()));
    for (size_t i = 0; i < steps.size(); ++i) numbers_[i] = number_of(steps[i], reduced);
    return numbers_[steps.size() - 1];
  }

  FoldedNumber number_of(const Step& step, const FoldedNumber& reduced) {
    switch (step.kind) {
      case Step::Kind::constant: return step.constant;
      case Step::Kind::read: return element_of(reads_[step.a]);
      case Step::Kind::reduced: return reduced;
      case Step::Kind::index: return {.whole = step.index.at(variables_)};
      case Step::Kind::binary: return number_of_binary(step);
      case Step::Kind::unary: return number_of_unary(step);
      case Step::Kind::select: {
        const auto holds = [&](const NumberedBound& bound) { return bound.holds(variables_); };
        return numbers_[std::ranges::all_of(step.bounds, holds) ? step.a : step.b];
      }
      case Step::Kind::choose: {
        const FoldedNumber& condition = numbers_[step.c];
        const bool holds =
            step.type == ComputedType::real ? condition.real != 0 : condition.whole != 0;
        return numbers_[holds ? step.a : step.b];
      }
      case Step::Kind::cast: return number_of_cast(step);
    }
    return {};
  }

  FoldedNumber number_of_binary(const Step& step) {
    const FoldedNumber &a = numbers_[step.a], &b = numbers_[step.b];
    const bool real = step.type == ComputedType::real;
    if (is_comparison(step.binary))
      return {.whole = real ? compared(step.binary, a.real, b.real)
                            : compared(step.binary, a.whole, b.whole)};
    if (real) return {.real = joined(step.binary, a.real, b.real)};
    const std::optional<int64_t> whole = joined(step.binary, a.whole, b.whole);
    undefined_ = undefined_ || !whole;
    return {.whole = whole.value_or(0)};
  }

  FoldedNumber number_of_unary(const Step& step) const {
    const FoldedNumber& x = numbers_[step.a];
    if (step.type == ComputedType::real) return {.real = computed(step.unary, x.real)};
    if (step.unary == UnaryOp::abs) return {.whole = x.whole < 0 ? 0 - x.whole : x.whole};
    if (step.unary == UnaryOp::floor) return x;
    return {.whole = truncated(computed(step.unary, static_cast<double>(x.whole)))};
  }

  FoldedNumber number_of_cast(const Step& step) const {
    const FoldedNumber& x = numbers_[step.a];
    const bool from_real = step.type == ComputedType::real;
    switch (step.result) {
      case ComputedType::real: return {.real = from_real ? x.real : static_cast<double>(x.whole)};
      case ComputedType::integer: return {.whole = from_real ? truncated(x.real) : x.whole};
      case ComputedType::boolean: return {.whole = from_real ? x.real != 0 : x.whole != 0};
    }
    return x;
  }

  const Computation& c_;
  std::vector<std::string> slots_;
  std::vector<int64_t> variables_;
  std::vector<NumberedRead> reads_;
  std::vector<ComputedType> types_;
  ComputedType reduced_type_ = ComputedType::real;
  Steps element_, result_;
  std::vector<Steps> chosen_;
  std::vector<FoldedNumber> numbers_;
  bool undefined_ = false;
};

std::vector<FoldedNumber> numbers_of(const GraphTensor& tensor) {
  std::vector<FoldedNumber> numbers;
  numbers.reserve(tensor.data->size());
  if (tensor.data->type() == ElementType::f32)
    for (const float real : tensor.data->as<float>()) numbers.push_back({.real = real});
  else
    for (const int64_t whole : tensor.data->as<int64_t>()) numbers.push_back({.whole = whole});
  return numbers;
}

// The numbers as a tensor of the type stores them.
NDArray stored(const std::vector<FoldedNumber>& numbers, ElementType type) {
  const auto all = [&](const auto& store) {
    std::vector<decltype(store(numbers[0]))> elements(numbers.size());
    std::ranges::transform(numbers, elements.begin(), store);
    return NDArray(std::move(elements));
  };
  if (computed_type(type) != ComputedType::real)
    return all([&](const FoldedNumber& number) { return stored_whole(type, number.whole); });
  return all([&](const FoldedNumber& number) {
    const auto single = static_cast<float>(number.real);
    return type == ElementType::f16 ? half_bits_to_float(float_to_half_bits(single)) : single;
  });
}

}  // namespace

int64_t folding_steps(const Region& region) {
  constexpr int64_t kMost = int64_t{1} << 62;
  int64_t total = 0;
  for (const NamedComputation& named : region.computations) {
    int64_t steps = 1;
    for (const Axis& axis : named.computation.axes)
      steps = axis.extent > kMost / std::max<int64_t>(steps, 1) ? kMost : steps * axis.extent;
    total = steps > kMost - total ? kMost : total + steps;
  }
  return total;
}

std::optional<std::map<std::string, NDArray>> fold_region(const Region& region,
                                                          const ConstantTensors& given) {
  Elements known;
  for (const auto& [name, tensor] : given) known[name] = numbers_of(*tensor);
  for (const NamedComputation& named : region.computations) {
    const Computation& c = named.computation;
    if (!c.tables.empty()) return std::nullopt;
    auto elements = ComputationSteps(c, known).run();
    if (!elements) return std::nullopt;
    known[c.output.tensor] = *std::move(elements);
  }
  std::map<std::string, NDArray> made;
  for (const Tensor& tensor : tensors_of(region))
    if (std::ranges::find(region.outputs, tensor.name) != region.outputs.end())
      made[tensor.name] = stored(known.at(tensor.name), tensor.type);
  return made;
}

}  // namespace dovetail
