// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/region_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "core/ir/program/program_words.h"
#include "core/ir/region/written_statement.h"
#include "core/ir/value/value_text.h"
#include "core/ir/value/walk.h"

namespace dovetail {
namespace {

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

// Replaces a name only where it is a whole word: at1, but neither at10 nor Mat1.
std::string renamed(std::string text, std::string_view name, std::string_view by) {
  const auto joins = [&](size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  size_t at = text.find(name);
  while (at != std::string::npos) {
    const bool stands_alone = (at == 0 || !joins(at - 1)) && !joins(at + name.size());
    if (stands_alone) text.replace(at, name.size(), by);
    at = text.find(name, at + (stands_alone ? by.size() : name.size()));
  }
  return text;
}

// An index in the syntax of regions: without spaces, with `/` and `%`.
std::string index_text(const IndexExpr& e) {
  std::string text = replaced(replaced(print(e), " div ", "/"), " mod ", "%");
  std::erase(text, ' ');
  return text;
}

class ComputationPrinter {
  enum Precedence { kCompare, kSum, kProduct, kAtom };

 public:
  explicit ComputationPrinter(const Computation& c) : c_(c) {}

  std::string print() const {
    const std::string text = access_text(c_.output);
    const auto reducer = static_cast<size_t>(c_.reducer);
    if (c_.reducer == Reducer::none) return text + "=" + value(c_.element, kSum);
    if (c_.result == Value(Reduced{}))
      return text + std::string(kReducers[reducer]) + "=" + value(c_.element, kSum);
    reduced_ = fmt::format("{}({})", kReducerNames[reducer], value(c_.element, kSum));
    return text + "=" + value(c_.result, kSum);
  }

  std::string print(const Value& part, std::string_view reduced) const {
    reduced_ = reduced;
    return value(part, kSum);
  }

 private:
  // A gather index is printed as clamp(…) where it is used.
  std::string index(const IndexExpr& e) const {
    std::string text = index_text(e);
    for (const GatherIndex& chosen : c_.gathers) {
      if (!e.mentions(chosen.name)) continue;
      text = renamed(text, chosen.name,
                     fmt::format("clamp({},0,{})", value(chosen.value, kSum), chosen.extent - 1));
    }
    return text;
  }

  std::string access_text(const Access& access) const {
    std::vector<std::string> indices;
    for (const IndexExpr& e : access.indices) indices.push_back(index(e));
    return fmt::format("{}[{}]", access.tensor, fmt::join(indices, ","));
  }

  std::string read(size_t position) const {
    const Access& access = c_.reads[position];
    const std::string text = access_text(access);
    const Value own = read_of(position);
    const bool in_element = any_node(c_.element, [&](const Value& node) { return node == own; });
    return access.outside == usual_outside(c_.reducer, in_element)
               ? text
               : fmt::format("outside({},{})", text, access.outside);
  }

  std::string condition(const std::vector<Bound>& bounds) const {
    std::string text;
    for (const Bound& bound : bounds)
      text += fmt::format("{}{}<={}<{}", text.empty() ? "" : "&", bound.lower,
                          index_text(bound.expr), bound.upper);
    return text;
  }

  std::string value(const Value& v, Precedence place) const {
    if (const auto* constant = v.as<Constant>())
      return constant->value < 0 && place > kSum ? fmt::format("({})", constant->value)
                                                 : fmt::format("{}", constant->value);
    if (const auto* r = v.as<ReadOf>()) return read(static_cast<size_t>(r->position));
    if (v.as<Reduced>() != nullptr) return reduced_;
    if (const auto* at = v.as<IndexValue>()) {
      if (at->index.is_constant()) return fmt::format("integer({})", at->index.constant());
      const bool plain = at->index.terms().size() == 1 && at->index.constant() == 0;
      return plain || place <= kSum ? index_text(at->index) : "(" + index_text(at->index) + ")";
    }
    if (const auto* b = v.as<Binary>()) return binary_text(*b, place);
    if (const auto* s = v.as<Select>())
      return fmt::format("select({},{},{})", condition(s->bounds),
                         beside(s->then, s->otherwise, kSum), beside(s->otherwise, s->then, kSum));
    if (const auto* c = v.as<Choose>())
      return fmt::format("select({},{},{})", value(c->condition, kCompare),
                         beside(c->then, c->otherwise, kSum), beside(c->otherwise, c->then, kSum));
    if (const auto* c = v.as<Cast>())
      return fmt::format("{}({})", cast_name(c->type), value(c->operand, kSum));
    const auto* u = v.as<Unary>();
    return fmt::format("{}({})", name_of(u->op), value(u->operand, kSum));
  }

  static bool is_number(const Value& v) {
    const auto* at = v.as<IndexValue>();
    return v.as<Constant>() != nullptr || (at != nullptr && at->index.is_constant());
  }

  // A constant index is printed as an integer, unless the other operand determines the type.
  std::string beside(const Value& v, const Value& other, Precedence place) const {
    const auto* at = v.as<IndexValue>();
    const bool is_plain = at != nullptr && at->index.is_constant() && !is_number(other);
    return value(is_plain ? Value(static_cast<double>(at->index.constant())) : v, place);
  }

  std::string binary_text(const Binary& b, Precedence place) const {
    const auto infix = [&](std::string_view op, Precedence own) {
      const std::string text =
          fmt::format("{}{}{}", beside(b.left, b.right, own), op,
                      beside(b.right, b.left, static_cast<Precedence>(own + 1)));
      return own < place ? "(" + text + ")" : text;
    };
    // Operands that are conditions themselves are printed in parentheses, or as min(…) and not `&`.
    const auto comparison = [&](std::string_view op) {
      const std::string text =
          beside(b.left, b.right, kSum) + std::string(op) + beside(b.right, b.left, kSum);
      return place > kCompare ? "(" + text + ")" : text;
    };
    switch (b.op) {
      case BinaryOp::add: return infix("+", kSum);
      case BinaryOp::sub: return infix("-", kSum);
      case BinaryOp::mul: return infix("*", kProduct);
      case BinaryOp::div:
        if (is_whole(b)) break;
        return infix("/", kProduct);
      case BinaryOp::less: return comparison("<");
      case BinaryOp::less_equal: return comparison("<=");
      case BinaryOp::equal: return comparison("==");
      default: break;
    }
    if (b.op == BinaryOp::min && place == kCompare) return infix("&", kCompare);
    const std::string_view word = b.op == BinaryOp::div ? "quotient" : name_of(b.op);
    return fmt::format("{}({},{})", word, beside(b.left, b.right, kSum),
                       beside(b.right, b.left, kSum));
  }

  bool is_whole(const Binary& division) const {
    const Value& operand = division.left.as<Constant>() == nullptr ? division.left : division.right;
    return type_of(c_, operand) == ComputedType::integer;
  }

  const Computation& c_;
  mutable std::string reduced_;
};

// The least shape of each tensor that includes the last element read.
std::map<std::string, std::vector<int64_t>> shapes_read(const Region& region) {
  std::map<std::string, std::vector<int64_t>> shapes;
  for (const NamedComputation& named : region.computations) {
    const Ranges ranges = axis_ranges(named.computation);
    for (const Access& access : named.computation.reads) {
      std::vector<int64_t>& shape = shapes[access.tensor];
      shape.resize(access.indices.size(), 1);
      for (size_t j = 0; j < shape.size(); ++j)
        shape[j] = std::max(shape[j], range_of(access.indices[j], ranges).max + 1);
    }
  }
  return shapes;
}

// The key of a tensor: its shape and type unless they follow from the statements and the extents.
std::string tensor_text(const Tensor& tensor, const std::vector<int64_t>& read, bool made) {
  const std::vector<int64_t> shape = shape_of(tensor);
  const std::string type = tensor.type == ElementType::f32 ? "" : std::string(name_of(tensor.type));
  if (made || shape == read) return type;
  return fmt::format("{}{}{}", fmt::join(shape, "x"), type.empty() ? "" : "x", type);
}

}  // namespace

std::string print_written(const Computation& computation, const Value& value,
                          std::string_view reduced) {
  return ComputationPrinter(computation).print(value, reduced);
}

std::string print(const Region& region) {
  if (region.op) return print(*region.op);
  std::string text, constants;
  std::vector<std::string> keys;
  std::set<std::string> axes;
  const auto read = shapes_read(region);
  for (const NamedComputation& named : region.computations) {
    const Computation& c = named.computation;
    text += (text.empty() ? "" : ";") + ComputationPrinter(c).print();
    for (const Axis& axis : c.axes)
      if (axes.insert(axis.name).second)
        keys.push_back(fmt::format("{}={}", axis.name, axis.extent));
  }
  for (const Tensor& tensor : tensors_of(region)) {
    const auto shape = read.find(tensor.name);
    const std::string own =
        tensor_text(tensor, shape == read.end() ? std::vector<int64_t>{} : shape->second,
                    is_made(region, tensor.name));
    if (!own.empty()) keys.push_back(fmt::format("{}={}", tensor.name, own));
    if (tensor.role == TensorRole::constant)
      constants += (constants.empty() ? "const=" : ".") + tensor.name;
  }
  if (!constants.empty()) keys.push_back(constants);
  return fmt::format("{}:{}", text, fmt::join(keys, ","));
}

}  // namespace dovetail
