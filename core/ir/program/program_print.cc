// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/ir/program/program.h"
#include "core/ir/program/program_words.h"
#include "core/ir/value/value_text.h"

namespace dovetail {
namespace {

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
  // ` leaving 2`, or nothing.
  static std::string counted(const char* what, int64_t count) {
    return count == 0 ? "" : fmt::format(" {} {}", what, count);
  }

  static std::string head(const Statement& statement) {
    if (const auto* loop = std::get_if<Loop>(&statement.node)) {
      std::string line = fmt::format("for {} in 0..{}", loop->variable, loop->extent);
      if (loop->kind != LoopKind::serial)
        line += fmt::format(" {}", kLoopKinds[static_cast<size_t>(loop->kind)]);
      if (loop->kind == LoopKind::bound) line += " " + print(loop->thread);
      if (!loop->intrinsic.empty()) line += " tensorize " + loop->intrinsic;
      if (loop->at) line += " at " + print(*loop->at);
      if (!loop->bounds.empty()) line += " where " + print_bounds(loop->bounds);
      for (const Prefetch& p : loop->prefetches)
        line += fmt::format(" prefetch {}{} lines {}{}", p.buffer, print_indices(p.indices),
                            p.lines, p.far ? " far" : "");
      return line;
    }
    if (const auto* tile = std::get_if<ScopedTile>(&statement.node))
      return fmt::format(
          "{} {}[{}]{}", kTileScopes[static_cast<size_t>(tile->scope)], tile->name,
          fmt::join(tile->extents, ", "),
          tile->type == ElementType::f32 ? "" : fmt::format(" {}", name_of(tile->type)));
    if (const auto* barrier = std::get_if<Barrier>(&statement.node))
      return "barrier" + counted("leaving", barrier->leaving) +
             counted("products", barrier->products);
    const Store& store = std::get<Store>(statement.node);
    return store.target + print_indices(store.indices) +
           fmt::format(" {}= ", kReducers[static_cast<size_t>(store.reducer)]) +
           print(store.value) + (store.streaming ? " streaming" : "") +
           (store.async ? " async" : "");
  }

  const Notes& notes_;
};

}  // namespace

std::string print(const Program& program, const Notes& notes) {
  Printer printer(notes);
  for (const Buffer& buffer : program.buffers) {
    printer.text += fmt::format("buffer {}: {} {} {}\n", buffer.name, name_of(buffer.dtype),
                                print(buffer.role), print(buffer.layout, buffer.tensor));
  }
  for (const Kernel& kernel : program.kernels) {
    printer.text += fmt::format("kernel {}{}\n", kernel.name, kernel.prepares ? " prepares" : "");
    printer.block(kernel.body, 1);
  }
  return printer.text;
}

}  // namespace dovetail
