// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/ir/program/program.h"
#include "core/ir/program/program_words.h"

namespace dovetail {
namespace {

// How tightly a value binds: what binds less tightly than its place asks for goes into parentheses.
enum Precedence { kSelect, kSum, kProduct, kAtom };

Precedence precedence(BinaryOp op) {
  switch (op) {
    case BinaryOp::add:
    case BinaryOp::sub:
      return kSum;
    case BinaryOp::mul:
    case BinaryOp::div:
      return kProduct;
    case BinaryOp::min:
    case BinaryOp::max:
      return kAtom;
  }
  return kAtom;
}

std::string print_value(const Value& value, Precedence place);

std::string print_binary(const Binary& b, Precedence own) {
  const std::string_view word = kBinaryOps[static_cast<size_t>(b.op)];
  if (own == kAtom) {
    return fmt::format("{}({}, {})", word, print_value(b.left, kSelect),
                       print_value(b.right, kSelect));
  }
  return fmt::format("{} {} {}", print_value(b.left, own), word,
                     print_value(b.right, static_cast<Precedence>(own + 1)));
}

std::string print_bounds(const std::vector<Bound>& bounds) {
  std::string text;
  for (const Bound& bound : bounds) {
    text += fmt::format("{}{} <= {} < {}", text.empty() ? "" : " and ", bound.lower,
                        print(bound.expr), bound.upper);
  }
  return text;
}

std::string print_select(const Select& s) {
  return fmt::format("({}) ? {} : {}", print_bounds(s.bounds), print_value(s.then, kSum),
                     print_value(s.otherwise, kSelect));
}

std::string print_value(const Value& value, Precedence place) {
  const Value::Node& node = value.node();
  if (const auto* constant = std::get_if<Constant>(&node))
    return fmt::format("{}", constant->value);
  if (const auto* load = std::get_if<Load>(&node))
    return load->buffer + print_indices(load->indices);
  if (const auto* u = std::get_if<std::shared_ptr<const Unary>>(&node)) {
    return fmt::format("{}({})", kUnaryOps[static_cast<size_t>((*u)->op)],
                       print_value((*u)->operand, kSelect));
  }
  Precedence own = kSelect;
  std::string text;
  if (const auto* b = std::get_if<std::shared_ptr<const Binary>>(&node)) {
    own = precedence((*b)->op);
    text = print_binary(**b, own);
  } else {
    text = print_select(*std::get<std::shared_ptr<const Select>>(node));
  }
  return own < place ? "(" + text + ")" : text;
}

class Printer {
 public:
  explicit Printer(const Notes& notes) : notes_(notes) {}

  void block(const Block& block, int depth) {
    for (const Statement& statement : block) {
      text += std::string(2 * static_cast<size_t>(depth), ' ') + head(statement);
      if (const std::string note = notes_ ? notes_(statement) : ""; !note.empty())
        text += "  # " + note;
      text += "\n";
      if (const auto* loop = std::get_if<Loop>(&statement.node)) this->block(loop->body, depth + 1);
    }
  }

  std::string text;

 private:
  static std::string head(const Statement& statement) {
    if (const auto* loop = std::get_if<Loop>(&statement.node)) {
      std::string line = fmt::format("for {} in 0..{}", loop->variable, loop->extent);
      if (loop->kind != LoopKind::serial)
        line += fmt::format(" {}", kLoopKinds[static_cast<size_t>(loop->kind)]);
      if (loop->kind == LoopKind::bound) line += " " + print(loop->thread);
      if (!loop->bounds.empty()) line += " where " + print_bounds(loop->bounds);
      for (const Prefetch& p : loop->prefetches)
        line += fmt::format(" prefetch {}{} lines {}", p.buffer, print_indices(p.indices), p.lines);
      return line;
    }
    if (const auto* tile = std::get_if<ScopedTile>(&statement.node))
      return fmt::format("{} {}[{}]", kTileScopes[static_cast<size_t>(tile->scope)], tile->name,
                         fmt::join(tile->extents, ", "));
    if (std::holds_alternative<Barrier>(statement.node)) return "barrier";
    const Store& store = std::get<Store>(statement.node);
    return store.target + print_indices(store.indices) + (store.accumulate ? " += " : " = ") +
           print(store.value) + (store.streaming ? " streaming" : "");
  }

  const Notes& notes_;
};

}  // namespace

std::string print(const Value& value) { return print_value(value, kSelect); }

std::string print(const Program& program, const Notes& notes) {
  Printer printer(notes);
  for (const Buffer& buffer : program.buffers) {
    printer.text += fmt::format(
        "buffer {}: {} {} {}\n", buffer.name, kDataTypes[static_cast<size_t>(buffer.dtype)],
        kBufferRoles[static_cast<size_t>(buffer.role)], print(buffer.layout, buffer.tensor));
  }
  for (const Kernel& kernel : program.kernels) {
    printer.text += fmt::format("kernel {}{}\n", kernel.name, kernel.once ? " once" : "");
    printer.block(kernel.body, 1);
  }
  return printer.text;
}

}  // namespace dovetail
