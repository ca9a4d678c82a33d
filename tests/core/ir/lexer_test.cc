// SPDX-License-Identifier: Apache-2.0
#include "core/ir/lexer.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

std::vector<Token> tokens_of(std::string_view text) {
  Result<Cursor> cursor = Cursor::over(text, "text");
  EXPECT_TRUE(cursor) << cursor.error().message;
  std::vector<Token> tokens;
  while (!cursor->at_end()) tokens.push_back(cursor->take());
  return tokens;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (const Token& token : tokens_of(text)) words.emplace_back(token.text);
  return words;
}

using Words = std::vector<std::string>;

TEST(Lexer, NamesHoldDotsAndDigitsButNoRange) {
  EXPECT_EQ(words_of("i.0.1 X.pad h_w.0"), (Words{"i.0.1", "X.pad", "h_w.0"}));
  EXPECT_EQ(words_of("0..56"), (Words{"0", "..", "56"}));
  EXPECT_EQ(words_of("h..4"), (Words{"h", "..", "4"}));
}

TEST(Lexer, LongSymbolsComeFirst) {
  EXPECT_EQ(words_of("a+=b<=c->d<e"), (Words{"a", "+=", "b", "<=", "c", "->", "d", "<", "e"}));
}

TEST(Lexer, NumbersAreWholeOrReal) {
  const std::vector<Token> tokens = tokens_of("7 0.5 1e-05 2e3 99999999999999999999 1e999 3x");
  EXPECT_EQ(tokens[0].kind, TokenKind::integer);
  EXPECT_EQ(tokens[0].integer, 7);
  EXPECT_EQ(tokens[0].number, 7.0);
  EXPECT_EQ(tokens[1].number, 0.5);
  EXPECT_EQ(tokens[2].number, 1e-5);
  EXPECT_EQ(tokens[3].number, 2000.0);
  EXPECT_EQ(tokens[4].kind, TokenKind::real);  // too large for an integer
  EXPECT_EQ(tokens[5].number, std::numeric_limits<double>::infinity());
  EXPECT_EQ(tokens[6].text, "3");
  EXPECT_EQ(tokens[7].text, "x");
}

TEST(Lexer, KnowsLinesAndColumns) {
  const std::vector<Token> tokens = tokens_of("a # no\n\n  b");
  ASSERT_EQ(tokens.size(), 4u);
  EXPECT_EQ(tokens[1].kind, TokenKind::line_end);
  EXPECT_EQ(tokens[3].line, 3);
  EXPECT_EQ(tokens[3].column, 3);
}

TEST(Lexer, RefusesForeignCharactersAndHugeTexts) {
  EXPECT_ERROR(Cursor::over("a\n $", "text"), "text line 2, column 2: found \"$\"");
  EXPECT_ERROR(Cursor::over(std::string_view("\0", 1), "text"), "found \"\\x00\"");
  EXPECT_ERROR(Cursor::over(std::string(5 << 20, 'a'), "text"), "text has 5242880 bytes; expected");
}

TEST(Lexer, QuotesOnOneReadableLine) {
  EXPECT_EQ(quoted("a b"), "\"a b\"");
  EXPECT_EQ(quoted("a\n\x80"), "\"a\\x0a\\x80\"");
  EXPECT_LT(dovetail::quoted(std::string(1000, 'a')).size(), 80u);
}

TEST(Cursor, StaysOnTheEnd) {
  Result<Cursor> cursor = Cursor::over("a", "text");
  ASSERT_TRUE(cursor);
  cursor->take();
  cursor->take();
  EXPECT_TRUE(cursor->at_end());
  EXPECT_ERROR(cursor->expect_name("a loop"),
               "text line 1, column 2: found the end, expected a loop");
}

}  // namespace
}  // namespace dovetail
