// SPDX-License-Identifier: Apache-2.0
//
// Lexer: the tokenizer of all text formats of core/ir: index expressions, layouts, traces,
// schedules, programs.
//
//     for h.0 in 0..56 parallel
//       ->  name `for`, name `h.0`, name `in`, integer 0, symbol `..`, integer 56, name `parallel`,
//           end of line
//
// Names contain dots (`i.0.1`, `X.pad`) because primitives name their results that way; `..` is a
// symbol of its own. `#` starts a comment. The indentation of a line is the column of its first
// token, so that the parser of loop nests needs no tokens for it.
//
// Why one tokenizer and a cursor instead of a parser generator: every message names line, column,
// and the text found and expected, in the same words for every format, and malicious text (long,
// deep, not ASCII) is handled in one place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/text.h"
#include "core/ir/index/index_expression.h"
#include "core/ir/layout/layout.h"

namespace dovetail {

enum class TokenKind : uint8_t { name, integer, real, symbol, line_end, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  // slice of the source
  int line = 1;
  int column = 1;       // in bytes, from 1
  int64_t integer = 0;  // kind integer
  double number = 0;    // kinds integer and real
};

// Parsers reject deeper nesting instead of exhausting the stack; no schedule comes near this limit.
inline constexpr int kMaxNesting = 200;

// Iterates over the tokens of a text and formats the errors. The text must outlive the cursor.
class Cursor {
 public:
  // `what` opens every message: "program line 3, column 7: found …, expected …".
  static Result<Cursor> over(std::string_view text, std::string what);

  const Token& peek(size_t ahead = 0) const;
  Token take();  // does not advance past the end
  bool at_end() const { return peek().kind == TokenKind::end; }
  bool at_symbol(std::string_view symbol, size_t ahead = 0) const;
  bool at_name(std::string_view name, size_t ahead = 0) const;

  // Consumes the next token if it is this one.
  bool accept_symbol(std::string_view symbol);
  bool accept_name(std::string_view name);

  Result<void> expect_symbol(std::string_view symbol);
  Result<void> expect_word(std::string_view name);
  Result<std::string> expect_name(std::string_view meaning);  // "a loop", "a buffer"
  Result<int64_t> expect_integer(std::string_view meaning);   // an optional minus and digits
  Result<double> expect_number(std::string_view meaning);     // an integer, a real number or inf
  Result<void> expect_line_end();                             // or the end of the text
  // Consumes a comma (true: the list continues) or the closing symbol (false).
  Result<bool> takes_comma(std::string_view closing);

  Unexpected unexpected(std::string_view expected) const;  // at the next token
  Unexpected fail_at(const Token& token, std::string_view message) const;
  // Returns `made`, a result derived from `token`, with the token's position added to its error.
  template <typename T>
  Result<T> located(const Token& token, Result<T> made) const {
    if (!made) return fail_at(token, made.error().message);
    return made;
  }

 private:
  Cursor(std::string_view text, std::string what) : text_(text), what_(std::move(what)) {}

  std::string_view text_;
  std::string what_;
  std::vector<Token> tokens_;  // the last one is the end
  size_t at_ = 0;
};

// Parses the longest index expression at the cursor.
Result<IndexExpr> parse_index(Cursor& cursor);
// `[e, e, …]`
Result<std::vector<IndexExpr>> parse_indices(Cursor& cursor);
// `0 <= e < 56`
Result<Bound> parse_bound(Cursor& cursor);

// parse_layout reads what print(Layout, tensor) prints, parse_scope a scope such as
// `texture:weight`.
Result<NamedLayout> parse_layout(Cursor& cursor);
Result<MemoryScope> parse_scope(Cursor& cursor);

// The text in quotes, truncated to a readable length, with bytes outside printable ASCII escaped.
std::string quoted(std::string_view text);

}  // namespace dovetail
