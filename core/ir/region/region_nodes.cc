// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/region_nodes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/check.h"

namespace dovetail {
namespace {

std::string role_of(const Region& region, const Tensor& tensor) {
  if (std::ranges::find(region.outputs, tensor.name) != region.outputs.end()) return "output";
  if (is_inner(region, tensor.name)) return "inner";
  return tensor.role == TensorRole::constant ? "constant" : "given";
}

// Writes a computation's key in one traversal of its values.
class KeyWriter {
 public:
  KeyWriter(const RegionNodes& nodes, size_t computation, const Colours& colours, size_t marked)
      : nodes_(nodes),
        number_(computation),
        c_(nodes.region().computations[computation].computation),
        colours_(colours),
        marked_(marked) {}

  std::string computation() const {
    return fmt::format("{} {} {} = {} @ {}", access(c_.output), static_cast<int>(c_.reducer),
                       axes(), value(c_.element),
                       c_.reducer == Reducer::none ? "" : value(c_.result));
  }

  std::string value(const Value& v) const {
    if (const auto* k = v.as<Constant>()) return fmt::format("{}", k->value);
    if (const auto* r = v.as<ReadOf>()) return access(c_.reads[static_cast<size_t>(r->position)]);
    if (v.as<Reduced>() != nullptr) return "@";
    if (const auto* at = v.as<IndexValue>()) return "#" + index(at->index);
    if (const auto* b = v.as<Binary>()) return binary(*b);
    if (const auto* u = v.as<Unary>())
      return fmt::format("u{}({})", static_cast<int>(u->op), value(u->operand));
    if (const auto* s = v.as<Select>())
      return fmt::format("select({}: {}, {})", bounds(s->bounds), value(s->then),
                         value(s->otherwise));
    if (const auto* c = v.as<Choose>())
      return fmt::format("choose({}, {}, {})", value(c->condition), value(c->then),
                         value(c->otherwise));
    const auto* cast = v.as<Cast>();
    CHECK(cast != nullptr, "a value of a computation");
    return fmt::format("cast{}({})", static_cast<int>(cast->type), value(cast->operand));
  }

 private:
  std::string colour(size_t node) const {
    return node == marked_ ? "!" : fmt::format("{}", colours_[node]);
  }

  std::string sorted(std::vector<std::string> parts) const {
    std::ranges::sort(parts);
    return fmt::format("{}", fmt::join(parts, ","));
  }

  std::string axes() const {
    std::vector<std::string> parts;
    for (const Axis& axis : c_.axes) parts.push_back(colour(nodes_.axis(number_, axis.name)));
    return sorted(std::move(parts));
  }

  std::string binary(const Binary& b) const {
    std::string left = value(b.left), right = value(b.right);
    if (is_commutative(b.op) && right < left) std::swap(left, right);
    return fmt::format("b{}({}, {})", static_cast<int>(b.op), left, right);
  }

  std::string bounds(const std::vector<Bound>& list) const {
    std::vector<std::string> parts;
    for (const Bound& bound : list)
      parts.push_back(fmt::format("{}<={}<{}", bound.lower, index(bound.expr), bound.upper));
    return sorted(std::move(parts));
  }

  std::string access(const Access& access) const {
    const CoefficientTable* table = find_table(c_, access.tensor);
    std::vector<std::string> dims;
    for (size_t j = 0; j < access.indices.size(); ++j)
      dims.push_back(
          fmt::format("{}:{}", table ? fmt::format("{}", j) : colour(nodes_.dim(access.tensor, j)),
                      index(access.indices[j])));
    const std::string name = table ? fmt::format("{}", fmt::join(table->values, " "))
                                   : colour(nodes_.tensor(access.tensor));
    return fmt::format("{}[{}|{}|{}]", name, sorted(std::move(dims)), access.outside,
                       bounds(access.conditions));
  }

  std::string variable(const std::string& name) const {
    const auto chosen = std::ranges::find(c_.gathers, name, &GatherIndex::name);
    if (chosen == c_.gathers.end()) return colour(nodes_.axis(number_, name));
    return fmt::format("clamp({}, {})", value(chosen->value), chosen->extent);
  }

  std::string index(const IndexExpr& e) const {
    std::vector<std::string> terms;
    for (const IndexTerm& term : e.terms()) {
      const bool plain = term.atom.kind == IndexAtom::Kind::variable;
      terms.push_back(plain
                          ? fmt::format("{}*{}", term.coefficient, variable(term.atom.variable))
                          : fmt::format("{}*({} {} {})", term.coefficient, index(*term.atom.inner),
                                        term.atom.kind == IndexAtom::Kind::div ? "/" : "%",
                                        term.atom.divisor));
    }
    return fmt::format("{}+{}", e.constant(), sorted(std::move(terms)));
  }

  const RegionNodes& nodes_;
  size_t number_;
  const Computation& c_;
  const Colours& colours_;
  size_t marked_;
};

}  // namespace

bool is_commutative(BinaryOp op) {
  return op == BinaryOp::add || op == BinaryOp::mul || op == BinaryOp::min || op == BinaryOp::max ||
         op == BinaryOp::equal;
}

RegionNodes::RegionNodes(const Region& region) : region_(region) {
  for (const Tensor& tensor : tensors_of(region)) {
    const std::string role = role_of(region, tensor);
    std::vector<int64_t> extents = shape_of(tensor);
    tensors_[tensor.name] = first_keys_.size();
    std::vector<int64_t> told = extents;
    if (role == "inner") std::ranges::sort(told);
    const std::string own =
        fmt::format("{} {} {}", role, name_of(tensor.type), fmt::join(told, "x"));
    first_keys_.push_back("tensor " + own);
    for (size_t j = 0; j < extents.size(); ++j)
      first_keys_.push_back(fmt::format("dim {} {} {}", own, extents[j], role == "inner" ? 0 : j));
  }
  for (size_t k = 0; k < region.computations.size(); ++k) {
    const Computation& c = region.computations[k].computation;
    std::vector<size_t> used;
    for (const Tensor& tensor : c.tensors)
      for (size_t j = 0; j <= tensor.dims.size(); ++j) used.push_back(tensors_.at(tensor.name) + j);
    for (const Axis& axis : c.axes) {
      axes_[{k, axis.name}] = first_keys_.size();
      used.push_back(first_keys_.size());
      first_keys_.push_back(
          fmt::format("axis {} {}", axis.reduction ? "reduced" : "output", axis.extent));
    }
    used_.push_back(std::move(used));
  }
}

std::string RegionNodes::key(size_t computation, const Colours& colours, size_t marked) const {
  return KeyWriter(*this, computation, colours, marked).computation();
}

std::string RegionNodes::key(size_t computation, const Value& value, const Colours& colours,
                             size_t marked) const {
  return KeyWriter(*this, computation, colours, marked).value(value);
}

}  // namespace dovetail
