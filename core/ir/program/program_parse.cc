// SPDX-License-Identifier: Apache-2.0
//
// program   := buffer* kernel*
// buffer    := 'buffer' name ':' dtype role LAYOUT
// kernel    := 'kernel' name ['prepares'] block
// block     := the following lines that are indented more deeply, all alike
// statement := 'for' name 'in' '0' '..' integer [kind] ['at' value] ['where' bounds]
//              prefetch* block
//            | ('registers' | 'private' | 'local') name '[' integers ']'
//            | 'barrier' ['leaving' integer] ['products' integer]
//            | name indices ('=' | '+=' | '*=' | 'max=' | 'min=') value ['streaming'] ['async']
// prefetch  := 'prefetch' name indices 'lines' integer 'far'?
// value     as core/ir/value/value_text.h reads it
#include <fmt/format.h>

#include "core/ir/lexer.h"
#include "core/ir/program/program.h"
#include "core/ir/program/program_words.h"
#include "core/ir/value/value_text.h"

namespace dovetail {
namespace {

class ProgramParser {
 public:
  explicit ProgramParser(Cursor& cursor) : cursor_(cursor) {}

  Result<Program> whole() {
    Program program;
    for (skip_empty_lines(); !cursor_.at_end(); skip_empty_lines()) {
      if (cursor_.peek().column > 1) return cursor_.unexpected("no indentation");
      if (cursor_.at_name("buffer") && program.kernels.empty()) {
        program.buffers.push_back(TRY(buffer()));
      } else if (cursor_.at_name("kernel")) {
        program.kernels.push_back(TRY(kernel()));
      } else {
        return cursor_.unexpected(program.kernels.empty() ? "\"buffer\" or \"kernel\""
                                                          : "\"kernel\"");
      }
    }
    return program;
  }

 private:
  void skip_empty_lines() {
    while (cursor_.peek().kind == TokenKind::line_end) cursor_.take();
  }

  Result<Buffer> buffer() {
    TRY(cursor_.expect_word("buffer"));
    Buffer buffer;
    buffer.name = TRY(cursor_.expect_name("a buffer's name"));
    TRY(cursor_.expect_symbol(":"));
    const std::optional<ElementType> dtype = element_type_named(cursor_.peek().text);
    if (!dtype || !is_stored(*dtype)) return cursor_.unexpected(kStoredTypes);
    cursor_.take();
    const auto role = word_to<BufferRole>(kBufferRoles, cursor_.peek().text);
    if (!role) return cursor_.unexpected("activation, constant, output, temporary or prepared");
    cursor_.take();
    NamedLayout named = TRY(parse_layout(cursor_));
    buffer.dtype = *dtype;
    buffer.role = *role;
    buffer.tensor = std::move(named.tensor);
    buffer.layout = std::move(named.layout);
    TRY(cursor_.expect_line_end());
    return buffer;
  }

  Result<Kernel> kernel() {
    TRY(cursor_.expect_word("kernel"));
    Kernel kernel;
    kernel.name = TRY(cursor_.expect_name("a kernel's name"));
    kernel.prepares = cursor_.accept_name("prepares");
    TRY(cursor_.expect_line_end());
    kernel.body = TRY(block(1, 0));
    return kernel;
  }

  // The lines that start right of `outer_column`, all in the same column.
  Result<Block> block(int outer_column, int depth) {
    if (depth > kMaxNesting)
      return cursor_.unexpected(fmt::format("at most {} nested loops", kMaxNesting));
    Block block;
    skip_empty_lines();
    const int column = cursor_.peek().column;
    while (!cursor_.at_end() && cursor_.peek().column > outer_column) {
      if (cursor_.peek().column != column)
        return cursor_.unexpected(fmt::format("a line that starts in column {}", column));
      block.push_back(TRY(statement(column, depth)));
      skip_empty_lines();
    }
    return block;
  }

  Result<Statement> statement(int column, int depth) {
    if (cursor_.accept_name("for")) return Statement{TRY(loop(column, depth))};
    const auto scope = word_to<TileScope>(kTileScopes, cursor_.peek().text);
    if (scope && *scope != TileScope::workspace) {
      cursor_.take();
      return Statement{TRY(tile(*scope))};
    }
    if (cursor_.accept_name("barrier")) {
      Barrier barrier;
      if (cursor_.accept_name("leaving"))
        barrier.leaving = TRY(cursor_.expect_integer("how many batches it leaves"));
      if (cursor_.accept_name("products"))
        barrier.products = TRY(cursor_.expect_integer("how many batches of products it leaves"));
      TRY(cursor_.expect_line_end());
      return Statement{barrier};
    }
    return Statement{TRY(store())};
  }

  Result<Loop> loop(int column, int depth) {
    Loop loop;
    loop.variable = TRY(cursor_.expect_name("a loop variable"));
    TRY(cursor_.expect_word("in"));
    if (cursor_.peek().kind != TokenKind::integer || cursor_.peek().integer != 0)
      return cursor_.unexpected("0");
    cursor_.take();
    TRY(cursor_.expect_symbol(".."));
    loop.extent = TRY(cursor_.expect_integer("the loop's extent"));
    TRY(loop_kind(loop));
    if (cursor_.accept_name("tensorize")) loop.intrinsic = TRY(cursor_.expect_name("an intrinsic"));
    if (cursor_.accept_name("at")) loop.at = TRY(parse_value(cursor_));
    if (cursor_.accept_name("where")) loop.bounds = TRY(parse_bounds(cursor_));
    while (cursor_.accept_name("prefetch")) loop.prefetches.push_back(TRY(prefetch()));
    TRY(cursor_.expect_line_end());
    loop.body = TRY(block(column, depth + 1));
    return loop;
  }

  Result<Prefetch> prefetch() {
    Prefetch prefetch;
    prefetch.buffer = TRY(cursor_.expect_name("a buffer"));
    prefetch.indices = TRY(parse_indices(cursor_));
    TRY(cursor_.expect_word("lines"));
    prefetch.lines = TRY(cursor_.expect_integer("a number of cache lines"));
    prefetch.far = cursor_.accept_name("far");
    return prefetch;
  }

  Result<void> loop_kind(Loop& loop) {
    if (cursor_.peek().kind != TokenKind::name || cursor_.at_name("at") ||
        cursor_.at_name("where") || cursor_.at_name("prefetch") || cursor_.at_name("tensorize"))
      return {};
    const auto kind = word_to<LoopKind>(kLoopKinds, cursor_.peek().text);
    if (!kind)
      return cursor_.unexpected(
          "serial, parallel, vectorized, unrolled, bind, tensorize, at, where or prefetch");
    cursor_.take();
    loop.kind = *kind;
    if (*kind != LoopKind::bound) return {};
    const Token name = cursor_.peek();
    const std::string axis = TRY(cursor_.expect_name("a thread axis"));
    loop.thread = TRY(cursor_.located(name, parse_thread_axis(axis)));
    return {};
  }

  Result<ScopedTile> tile(TileScope scope) {
    ScopedTile tile;
    tile.scope = scope;
    tile.name = TRY(cursor_.expect_name("the name of a tile"));
    TRY(cursor_.expect_symbol("["));
    if (!cursor_.accept_symbol("]")) {
      do {
        tile.extents.push_back(TRY(cursor_.expect_integer("an extent")));
      } while (cursor_.accept_symbol(","));
      TRY(cursor_.expect_symbol("]"));
    }
    if (const auto type = element_type_named(cursor_.peek().text)) {
      if (!is_stored(*type)) return cursor_.unexpected(kStoredTypes);
      tile.type = *type;
      cursor_.take();
    }
    TRY(cursor_.expect_line_end());
    return tile;
  }

  Result<Store> store() {
    Store store;
    store.target = TRY(cursor_.expect_name("\"for\", \"registers\" or a store"));
    store.indices = TRY(parse_indices(cursor_));
    store.reducer = TRY(parse_assignment(cursor_));
    store.value = TRY(parse_value(cursor_));
    store.streaming = cursor_.accept_name("streaming");
    store.async = cursor_.accept_name("async");
    TRY(cursor_.expect_line_end());
    return store;
  }

  Cursor& cursor_;
};

}  // namespace

Result<Program> parse_program(std::string_view text) {
  Cursor cursor = TRY(Cursor::over(text, "program"));
  return ProgramParser(cursor).whole();
}

}  // namespace dovetail
