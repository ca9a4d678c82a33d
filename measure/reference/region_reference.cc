// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/region_reference.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/base/half.h"
#include "core/ir/value/walk.h"
#include "measure/reference/bounded_number.h"
#include "measure/reference/operands.h"

namespace dovetail {
namespace {

// An index over numbered variables.
struct Index {
  struct Division {
    int64_t coefficient, divisor;
    bool is_div;
    std::vector<Index> inner;  // one
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

class ComputationEvaluator {
 public:
  ComputationEvaluator(const Computation& c, const RegionViews& given, const RegionValues& made)
      : c_(c), given_(given), made_(made) {
    for (const Axis& axis : c.axes) slots_.push_back(axis.name);
    for (const ChosenIndex& index : c.chosen) slots_.push_back(index.name);
    variables_.resize(slots_.size());
    for (const Access& access : c.reads) {
      reads_.push_back(prepared(access));
      types_.push_back(computed_type(tensor_named(c, access.tensor).type));
    }
  }

  BoundedTensor run() {
    const Tensor& output = tensor_named(c_, c_.output.tensor);
    BoundedTensor result;
    size_t outputs = 0;
    while (outputs < c_.axes.size() && !c_.axes[outputs].reduction) ++outputs;
    std::vector<size_t> inner;
    for (size_t a = 0; a < c_.axes.size(); ++a)
      if (c_.axes[a].reduction) inner.push_back(a);
    do {
      const BoundedNumber one = stored(element_at(inner), output.type);
      result.values.push_back(one.value);
      result.errors.push_back(one.error);
    } while (next(0, outputs));
    return result;
  }

 private:
  struct Read {
    std::vector<Index> indices;
    std::vector<int64_t> extents;
    std::vector<std::pair<Index, const Bound*>> conditions;
    const BoundedTensor* made = nullptr;  // or given:
    std::span<const float> given = {};
    double outside = 0;
  };

  Index prepared(const IndexExpr& e) const {
    Index result;
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

  Read prepared(const Access& access) const {
    Read read;
    for (const IndexExpr& e : access.indices) read.indices.push_back(prepared(e));
    for (const LogicalDim& dim : tensor_named(c_, access.tensor).dims)
      read.extents.push_back(dim.extent);
    for (const Bound& bound : access.conditions)
      read.conditions.emplace_back(prepared(bound.expr), &bound);
    if (const auto made = made_.find(access.tensor); made != made_.end())
      read.made = &made->second;
    else
      read.given = given_.find(access.tensor)->second;
    read.outside = access.outside;
    return read;
  }

  // The next values of axes [first, last), the last one fastest; false after the end.
  bool next(size_t first, size_t last) {
    for (size_t a = last; a-- > first;) {
      if (++variables_[a] < c_.axes[a].extent) return true;
      variables_[a] = 0;
    }
    return false;
  }

  BoundedNumber element_at(const std::vector<size_t>& inner) {
    if (c_.reducer == Reducer::none) {
      choose();
      return evaluate(c_.element, {});
    }
    BoundedNumber total{neutral(c_.reducer), 0};
    double magnitude = 0, terms = 0;
    const size_t first = inner.front(), last = inner.back() + 1;
    for (size_t a = first; a < last; ++a) variables_[a] = 0;
    do {
      choose();
      const BoundedNumber one = evaluate(c_.element, {});
      magnitude += std::abs(one.value);
      ++terms;
      if (c_.reducer == Reducer::sum)
        total = {total.value + one.value, total.error + one.error};
      else
        total = apply(operation_of(c_.reducer), total, one, false);
    } while (next(first, last));
    if (c_.reducer == Reducer::sum) total.error += summation_error(terms) * magnitude;
    if (std::isnan(total.error)) total.error = 0;
    return evaluate(c_.result, total);
  }

  void choose() {
    for (size_t k = 0; k < c_.chosen.size(); ++k) {
      const double named = evaluate(c_.chosen[k].value, {}).value;
      const auto last = static_cast<double>(c_.chosen[k].extent - 1);
      variables_[c_.axes.size() + k] = static_cast<int64_t>(std::clamp(named, 0.0, last));
    }
  }

  BoundedNumber read(const Read& read) const {
    for (const auto& [index, bound] : read.conditions) {
      const int64_t at = index.at(variables_);
      if (at < bound->lower || at >= bound->upper) return {read.outside, 0};
    }
    size_t flat = 0;
    for (size_t j = 0; j < read.indices.size(); ++j) {
      const int64_t at = read.indices[j].at(variables_);
      if (at < 0 || at >= read.extents[j]) return {read.outside, 0};
      flat = flat * static_cast<size_t>(read.extents[j]) + static_cast<size_t>(at);
    }
    if (read.made == nullptr) return {read.given[flat], 0};
    return {read.made->values[flat], read.made->errors[flat]};
  }

  bool holds(const std::vector<Bound>& bounds) const {
    return std::ranges::all_of(bounds, [&](const Bound& bound) {
      const int64_t at = prepared(bound.expr).at(variables_);
      return bound.lower <= at && at < bound.upper;
    });
  }

  BoundedNumber evaluate(const Value& value, const BoundedNumber& reduced) const {
    if (const auto* constant = value.as<Constant>()) {
      const double rounded = static_cast<float>(constant->value);
      return {constant->value, std::isfinite(rounded) ? std::abs(rounded - constant->value) : 0};
    }
    if (const auto* r = value.as<ReadOf>()) return read(reads_[static_cast<size_t>(r->position)]);
    if (value.as<Reduced>() != nullptr) return reduced;
    if (const auto* at = value.as<IndexValue>())
      return {static_cast<double>(prepared(at->index).at(variables_)), 0};
    if (const auto* b = value.as<Binary>())
      return apply(b->op, evaluate(b->left, reduced), evaluate(b->right, reduced), is_whole(value));
    if (const auto* u = value.as<Unary>()) return apply(u->op, evaluate(u->operand, reduced));
    if (const auto* s = value.as<Select>())
      return evaluate(holds(s->bounds) ? s->then : s->otherwise, reduced);
    if (const auto* c = value.as<Cast>()) return apply(c->type, evaluate(c->operand, reduced));
    return chosen_by_data(*value.as<Choose>(), reduced);
  }

  BoundedNumber chosen_by_data(const Choose& choice, const BoundedNumber& reduced) const {
    const BoundedNumber condition = evaluate(choice.condition, reduced);
    const BoundedNumber then = evaluate(choice.then, reduced);
    const BoundedNumber otherwise = evaluate(choice.otherwise, reduced);
    BoundedNumber result = condition.value != 0 ? then : otherwise;
    if (condition.error > 0)
      result.error = std::max(then.error, otherwise.error) + std::abs(then.value - otherwise.value);
    return result;
  }

  bool is_whole(const Value& value) const {
    return type_of(value, [&](const Value& leaf) {
             const auto* r = leaf.as<ReadOf>();
             return r == nullptr ? ComputedType::real : types_[static_cast<size_t>(r->position)];
           }) == ComputedType::integer;
  }

  static BoundedNumber stored(const BoundedNumber& one, ElementType type) {
    if (type == ElementType::f32) return one;
    if (type == ElementType::f16) return {one.value, one.error + 0x1p-11 * std::abs(one.value)};
    return apply(computed_type(type), one);
  }

  const Computation& c_;
  const RegionViews& given_;
  const RegionValues& made_;
  std::vector<std::string> slots_;
  std::vector<int64_t> variables_;
  std::vector<Read> reads_;
  std::vector<ComputedType> types_;
};

bool wants_positive(const Region& region) {
  const auto has_root = [](const Value& node) {
    const auto* u = node.as<Unary>();
    const auto* b = node.as<Binary>();
    return (u != nullptr &&
            (u->op == UnaryOp::log || u->op == UnaryOp::sqrt || u->op == UnaryOp::rsqrt)) ||
           (b != nullptr && b->op == BinaryOp::pow);
  };
  return std::ranges::any_of(region.computations, [&](const NamedComputation& named) {
    return any_node(named.computation.element, has_root) ||
           any_node(named.computation.result, has_root);
  });
}

// How far an integer tensor counts: as far as what it chooses, else to 7.
int64_t largest_integer(const Region& region, const std::string& tensor) {
  int64_t largest = 7;
  for (const NamedComputation& named : region.computations) {
    for (const ChosenIndex& index : named.computation.chosen) {
      const bool reads = any_node(index.value, [&](const Value& node) {
        const auto* r = node.as<ReadOf>();
        return r != nullptr &&
               named.computation.reads[static_cast<size_t>(r->position)].tensor == tensor;
      });
      if (reads) largest = index.extent - 1;
    }
  }
  return largest;
}

}  // namespace

RegionInputs make_region_inputs(const Region& region, uint64_t seed) {
  RegionInputs inputs;
  const bool positive = wants_positive(region);
  uint64_t stream = noise(seed, 1);
  for (const Tensor& tensor : given_tensors(region)) {
    const auto count = static_cast<size_t>(num_elements(shape_of(tensor)));
    std::vector<float>& values = inputs[tensor.name];
    const int64_t largest = largest_integer(region, tensor.name);
    stream = noise(stream, 2);
    for (size_t i = 0; i < count; ++i) {
      const uint64_t random = noise(stream, i);
      const auto unit = static_cast<float>(static_cast<double>(random >> 40) * 0x1p-24);  // [0, 1)
      switch (computed_type(tensor.type)) {
        case ComputedType::real: values.push_back(positive ? 0.5F + unit : 2 * unit - 1); break;
        case ComputedType::integer:
          values.push_back(static_cast<float>(random % static_cast<uint64_t>(largest + 1)));
          break;
        case ComputedType::boolean: values.push_back(static_cast<float>(random >> 63)); break;
      }
      if (tensor.type == ElementType::f16)
        values.back() = half_bits_to_float(float_to_half_bits(values.back()));
    }
  }
  return inputs;
}

bool agrees(double found, double expected, double error) {
  constexpr double kLeast = 1e-30;  // below it numbers are subnormal, or nearly
  if (std::isnan(expected) || std::isinf(error)) return true;
  if (std::isinf(expected)) return found == expected;
  return std::abs(found - expected) <= error + kLeast;
}

RegionViews views_of(const RegionInputs& inputs) { return {inputs.begin(), inputs.end()}; }

RegionValues evaluate_region(const Region& region, const RegionViews& inputs) {
  RegionValues made;
  for (const NamedComputation& named : region.computations) {
    BoundedTensor tensor = ComputationEvaluator(named.computation, inputs, made).run();
    made[named.computation.output.tensor] = std::move(tensor);
  }
  return made;
}

}  // namespace dovetail
