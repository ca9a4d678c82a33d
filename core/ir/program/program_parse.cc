// SPDX-License-Identifier: Apache-2.0
//
// program   := buffer* kernel*
// buffer    := 'buffer' name ':' dtype role LAYOUT
// kernel    := 'kernel' name ['once'] block
// block     := the following lines that are indented more deeply, all alike
// statement := 'for' name 'in' '0' '..' integer [kind] ['where' bounds] prefetch* block
//            | ('registers' | 'private' | 'local') name '[' integers ']' | 'barrier'
//            | name indices ('=' | '+=') value ['streaming']
// prefetch  := 'prefetch' name indices 'lines' integer
// value     := sum | '(' bounds ')' '?' sum ':' value
// sum       := product (('+' | '-') product)*       product := factor (('*' | '/') factor)*
// bounds    := integer '<=' INDEX '<' integer ('and' …)*
// factor    := number | name indices | word '(' value, … ')' | '(' value ')'
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/ir/lexer.h"
#include "core/ir/program/program.h"
#include "core/ir/program/program_words.h"

namespace dovetail {
namespace {

// A value and the height of its tree: long sums are deep trees although their text has no
// parentheses.
struct Tall {
  Value value;
  int height = 1;
};

Result<std::vector<Bound>> parse_bounds(Cursor& cursor) {
  std::vector<Bound> bounds;
  do {
    bounds.push_back(TRY(parse_bound(cursor)));
  } while (cursor.accept_name("and"));
  return bounds;
}

class ValueParser {
 public:
  explicit ValueParser(Cursor& cursor) : cursor_(cursor) {}

  Result<Tall> value(int depth) {
    if (depth > kMaxNesting) return too_deep();
    if (at_bounds()) return selection(depth);
    return sum(depth);
  }

 private:
  Unexpected too_deep() const {
    return cursor_.unexpected(fmt::format("a value nested at most {} deep", kMaxNesting));
  }

  // `(` integer `<=`; a value in parentheses never starts like this.
  bool at_bounds() const {
    if (!cursor_.at_symbol("(")) return false;
    const size_t sign = cursor_.at_symbol("-", 1) ? 1 : 0;
    return cursor_.peek(1 + sign).kind == TokenKind::integer && cursor_.at_symbol("<=", 2 + sign);
  }

  Result<Tall> selection(int depth) {
    TRY(cursor_.expect_symbol("("));
    std::vector<Bound> bounds = TRY(parse_bounds(cursor_));
    TRY(cursor_.expect_symbol(")"));
    TRY(cursor_.expect_symbol("?"));
    Tall then = TRY(sum(depth + 1));
    TRY(cursor_.expect_symbol(":"));
    Tall otherwise = TRY(value(depth + 1));
    const int height = std::max(then.height, otherwise.height) + 1;
    return checked({select(std::move(bounds), then.value, otherwise.value), height});
  }

  Result<Tall> checked(Tall tall) const {
    if (tall.height > kMaxNesting) return too_deep();
    return tall;
  }

  Result<Tall> join(BinaryOp op, const Tall& left, const Tall& right) const {
    return checked({binary(op, left.value, right.value), std::max(left.height, right.height) + 1});
  }

  Result<Tall> sum(int depth) {
    Tall left = TRY(product(depth));
    while (cursor_.at_symbol("+") || cursor_.at_symbol("-")) {
      const BinaryOp op = *word_to<BinaryOp>(kBinaryOps, cursor_.take().text);
      const Tall right = TRY(product(depth));
      left = TRY(join(op, left, right));
    }
    return left;
  }

  Result<Tall> product(int depth) {
    Tall left = TRY(factor(depth));
    while (cursor_.at_symbol("*") || cursor_.at_symbol("/")) {
      const BinaryOp op = *word_to<BinaryOp>(kBinaryOps, cursor_.take().text);
      const Tall right = TRY(factor(depth));
      left = TRY(join(op, left, right));
    }
    return left;
  }

  Result<Tall> factor(int depth) {
    if (depth > kMaxNesting) return too_deep();
    if (cursor_.at_symbol("-") || cursor_.peek().kind == TokenKind::integer ||
        cursor_.peek().kind == TokenKind::real || cursor_.at_name("inf") || cursor_.at_name("nan"))
      return constant();
    if (cursor_.accept_symbol("(")) {
      Tall inner = TRY(value(depth + 1));
      TRY(cursor_.expect_symbol(")"));
      return inner;
    }
    const std::string name = TRY(cursor_.expect_name("a value"));
    if (cursor_.at_symbol("(")) return call(name, depth);
    return Tall{Load{name, TRY(parse_indices(cursor_))}};
  }

  Result<Tall> constant() {
    const double sign = cursor_.accept_symbol("-") ? -1 : 1;
    if (cursor_.accept_name("inf"))
      return Tall{Value(sign * std::numeric_limits<double>::infinity())};
    if (cursor_.accept_name("nan")) return Tall{Value(sign * std::nan(""))};
    const TokenKind kind = cursor_.peek().kind;
    if (kind != TokenKind::integer && kind != TokenKind::real)
      return cursor_.unexpected("a number");
    return Tall{Value(sign * cursor_.take().number)};
  }

  Result<Tall> call(const std::string& name, int depth) {
    const auto two = name.size() > 1 ? word_to<BinaryOp>(kBinaryOps, name) : std::nullopt;
    const auto one = word_to<UnaryOp>(kUnaryOps, name);
    if (!two && !one)
      return cursor_.unexpected(fmt::format(
          "\"[\" after {}; the functions are min, max, exp, tanh and erf", quoted(name)));
    TRY(cursor_.expect_symbol("("));
    const Tall left = TRY(value(depth + 1));
    if (one) {
      TRY(cursor_.expect_symbol(")"));
      return checked({unary(*one, left.value), left.height + 1});
    }
    TRY(cursor_.expect_symbol(","));
    const Tall right = TRY(value(depth + 1));
    TRY(cursor_.expect_symbol(")"));
    return join(*two, left, right);
  }

  Cursor& cursor_;
};

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
    const auto dtype = word_to<DataType>(kDataTypes, cursor_.peek().text);
    if (!dtype) return cursor_.unexpected("f32 or f16");
    cursor_.take();
    const auto role = word_to<BufferRole>(kBufferRoles, cursor_.peek().text);
    if (!role) return cursor_.unexpected("activation, constant, output, temporary or derived");
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
    kernel.once = cursor_.accept_name("once");
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
    if (const auto scope = word_to<TileScope>(kTileScopes, cursor_.peek().text)) {
      cursor_.take();
      return Statement{TRY(tile(*scope))};
    }
    if (cursor_.accept_name("barrier")) {
      TRY(cursor_.expect_line_end());
      return Statement{Barrier{}};
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
    return prefetch;
  }

  Result<void> loop_kind(Loop& loop) {
    if (cursor_.peek().kind != TokenKind::name || cursor_.at_name("where") ||
        cursor_.at_name("prefetch"))
      return {};
    const auto kind = word_to<LoopKind>(kLoopKinds, cursor_.peek().text);
    if (!kind)
      return cursor_.unexpected("serial, parallel, vectorized, unrolled, bind, where or prefetch");
    cursor_.take();
    loop.kind = *kind;
    if (*kind != LoopKind::bound) return {};
    const Token name = cursor_.peek();
    const Result<ThreadAxis> axis = parse_thread_axis(TRY(cursor_.expect_name("a thread axis")));
    if (!axis) return cursor_.fail_at(name, axis.error().message);
    loop.thread = *axis;
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
    TRY(cursor_.expect_line_end());
    return tile;
  }

  Result<Store> store() {
    Store store;
    store.target = TRY(cursor_.expect_name("\"for\", \"registers\" or a store"));
    store.indices = TRY(parse_indices(cursor_));
    store.accumulate = cursor_.accept_symbol("+=");
    if (!store.accumulate && !cursor_.accept_symbol("="))
      return cursor_.unexpected("\"=\" or \"+=\"");
    Tall value = TRY(ValueParser(cursor_).value(0));
    store.value = std::move(value.value);
    store.streaming = cursor_.accept_name("streaming");
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
