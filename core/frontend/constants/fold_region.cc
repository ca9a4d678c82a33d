// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/constants/fold_region.h"

#include <algorithm>
#include <utility>

#include "core/frontend/constants/folded_number.h"
#include "core/ir/operator/value_nodes.h"
#include "core/ir/value/value.h"

namespace dovetail {
namespace {

struct FoldedRead {
  std::vector<SlotIndex> indices;
  std::vector<int64_t> extents;
  std::vector<IndexLimits> conditions;
  ArrayView elements;
  FoldedNumber outside;
};

class ComputationFolding {
 public:
  ComputationFolding(const Computation& c, const NamedArrays& known) : c_(c), nodes_(c) {
    variables_.resize(nodes_.variables());
    for (const Access& access : c.reads) reads_.push_back(folded(access, known));
    element_ = nodes_.add(c.element, ComputedType::real);
    nodes_.set_reduced(nodes_[element_].type);
    for (const GatherIndex& index : c.gathers)
      chosen_.push_back(nodes_.add(index.value, ComputedType::integer));
    result_ = nodes_.add(c.result, nodes_[element_].type);
  }

  // The elements of the output, in row-major order; nullopt if one is undefined.
  std::optional<NDArray> run() {
    const Tensor& output = tensor_named(c_, c_.output.tensor);
    const bool real = computed_type(output.type) == ComputedType::real;
    std::vector<double> reals;
    std::vector<int64_t> integers;
    size_t outputs = 0;
    while (outputs < c_.axes.size() && !c_.axes[outputs].reduction) ++outputs;
    do {
      const FoldedNumber one = element_at(outputs);
      if (real)
        reals.push_back(one.real);
      else
        integers.push_back(one.whole);
    } while (next(0, outputs));
    if (undefined_) return std::nullopt;
    return real ? NDArray(std::move(reals)) : NDArray(std::move(integers));
  }

 private:
  FoldedRead folded(const Access& access, const NamedArrays& known) const {
    FoldedRead read{.indices = {},
                    .extents = shape_of(tensor_named(c_, access.tensor)),
                    .conditions = nodes_.limits(access.conditions),
                    .elements = known.find(access.tensor)->second,
                    .outside = {access.outside, truncated(access.outside)}};
    for (const IndexExpr& e : access.indices) read.indices.push_back(nodes_.index(e));
    return read;
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
    const BinaryOp op = operation_of(c_.reducer);
    const double start = neutral(c_.reducer);
    FoldedNumber total{start, truncated(start)};
    for (size_t a = outputs; a < c_.axes.size(); ++a) variables_[a] = 0;
    do {
      choose();
      const FoldedNumber one = evaluate(element_, {});
      if (is_real(element_))
        total.real = joined(op, total.real, one.real);
      else
        total.whole = joined(op, total.whole, one.whole).value_or(0);
    } while (next(outputs, c_.axes.size()));
    return evaluate(result_, total);
  }

  void choose() {
    for (size_t k = 0; k < chosen_.size(); ++k)
      variables_[c_.axes.size() + k] =
          std::clamp<int64_t>(evaluate(chosen_[k], {}).whole, 0, c_.gathers[k].extent - 1);
  }

  bool holds(const std::vector<IndexLimits>& bounds) const {
    return std::ranges::all_of(bounds, [&](const auto& bound) { return bound.holds(variables_); });
  }

  FoldedNumber element_of(const FoldedRead& read, ComputedType type) const {
    if (!holds(read.conditions)) return read.outside;
    size_t flat = 0;
    for (size_t j = 0; j < read.indices.size(); ++j) {
      const int64_t at = read.indices[j].at(variables_);
      if (at < 0 || at >= read.extents[j]) return read.outside;
      flat = flat * static_cast<size_t>(read.extents[j]) + static_cast<size_t>(at);
    }
    if (type == ComputedType::real) return {.real = read.elements.real(flat)};
    return {.whole = read.elements.integer(flat)};
  }

  bool is_real(size_t node) const { return nodes_[node].type == ComputedType::real; }

  FoldedNumber evaluate(size_t node, const FoldedNumber& reduced) {
    const Node& n = nodes_[node];
    const auto operand = [&](size_t k) { return evaluate(n.operands[k], reduced); };
    switch (n.kind) {
      case NodeKind::constant: return {n.number, truncated(n.number)};
      case NodeKind::read: return element_of(reads_[n.read], n.type);
      case NodeKind::reduced: return reduced;
      case NodeKind::index: return {.whole = n.index.at(variables_)};
      case NodeKind::binary: return combined(n, operand(0), operand(1));
      case NodeKind::comparison: {
        const FoldedNumber a = operand(0), b = operand(1);
        return {.whole = is_real(n.operands[0]) ? compared(n.binary, a.real, b.real)
                                                : compared(n.binary, a.whole, b.whole)};
      }
      case NodeKind::unary: return applied(n, operand(0));
      case NodeKind::select: return operand(holds(n.bounds) ? 0 : 1);
      case NodeKind::choose: return operand(is_nonzero(n.operands[0], operand(0)) ? 1 : 2);
      case NodeKind::cast: return cast(n, operand(0));
    }
    return {};
  }

  bool is_nonzero(size_t node, const FoldedNumber& x) const {
    return is_real(node) ? x.real != 0 : x.whole != 0;
  }

  FoldedNumber combined(const Node& n, const FoldedNumber& a, const FoldedNumber& b) {
    if (n.type == ComputedType::real) return {.real = joined(n.binary, a.real, b.real)};
    const std::optional<int64_t> whole = joined(n.binary, a.whole, b.whole);
    undefined_ = undefined_ || !whole;
    return {.whole = whole.value_or(0)};
  }

  static FoldedNumber applied(const Node& n, const FoldedNumber& x) {
    if (n.type == ComputedType::real) return {.real = computed(n.unary, x.real)};
    if (n.unary == UnaryOp::abs) return {.whole = x.whole < 0 ? 0 - x.whole : x.whole};
    if (n.unary == UnaryOp::floor) return x;
    return {.whole = truncated(computed(n.unary, static_cast<double>(x.whole)))};
  }

  FoldedNumber cast(const Node& n, const FoldedNumber& x) const {
    const bool from_real = is_real(n.operands[0]);
    switch (n.type) {
      case ComputedType::real: {
        const double number = from_real ? x.real : static_cast<double>(x.whole);
        return {.real = rounded(static_cast<float>(number), n.cast)};
      }
      case ComputedType::integer:
        return {.whole = from_real ? integer_of(x.real, n.cast) : wrapped(x.whole, n.cast)};
      case ComputedType::boolean: return {.whole = is_nonzero(n.operands[0], x)};
    }
    return x;
  }

  const Computation& c_;
  ValueNodes nodes_;
  std::vector<int64_t> variables_;
  std::vector<FoldedRead> reads_;
  size_t element_ = 0, result_ = 0;
  std::vector<size_t> chosen_;
  bool undefined_ = false;
};

// The numbers as a constant of the type holds them (core/ir/graph/graph.h).
NDArray stored(const NDArray& numbers, ElementType type) {
  const bool is_real = computed_type(type) == ComputedType::real;
  return converted(converted(numbers, type), is_real ? ElementType::f32 : ElementType::i64);
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

std::optional<NamedArrays> fold_region(const Region& region, NamedArrays inputs) {
  NamedArrays known = std::move(inputs);  // and what computations made: f64 or i64
  for (const NamedComputation& named : region.computations) {
    const Computation& c = named.computation;
    if (!c.tables.empty()) return std::nullopt;
    auto elements = ComputationFolding(c, known).run();
    if (!elements) return std::nullopt;
    known[c.output.tensor] = *std::move(elements);
  }
  NamedArrays made;
  for (const Tensor& tensor : tensors_of(region))
    if (std::ranges::find(region.outputs, tensor.name) != region.outputs.end())
      made[tensor.name] = stored(known.at(tensor.name), tensor.type);
  return made;
}

}  // namespace dovetail
