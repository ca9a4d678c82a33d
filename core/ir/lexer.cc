// SPDX-License-Identifier: Apache-2.0
#include "core/ir/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "core/base/check.h"
#include "core/base/fail.h"

namespace dovetail {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return starts_name(c) || is_digit(c); }

constexpr std::array<std::string_view, 5> kLongSymbols = {"..", "<=", "+=", "*=", "->"};
constexpr std::string_view kSymbols = "()[]{},;:=<>+-*/%&?@|";

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  // The next token; a symbol with an empty text for a character that starts no token.
  Token next() {
    skip_blanks();
    Token token;
    token.line = line_;
    token.column = static_cast<int>(at_ - line_start_) + 1;
    const size_t start = at_;
    if (at_ == text_.size()) return token;
    token.kind = scan(token);
    token.text = text_.substr(start, at_ - start);
    if (token.kind == TokenKind::line_end) {
      ++line_;
      line_start_ = at_;
    }
    return token;
  }

 private:
  char char_at(size_t position) const { return position < text_.size() ? text_[position] : '\0'; }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
    if (char_at(at_) == '#') at_ = std::min(text_.find('\n', at_), text_.size());
  }

  TokenKind scan(Token& token) {
    const char c = text_[at_];
    if (c == '\n') {
      ++at_;
      return TokenKind::line_end;
    }
    if (starts_name(c)) return scan_name();
    if (is_digit(c)) return scan_number(token);
    for (const std::string_view symbol : kLongSymbols) {
      if (text_.substr(at_, symbol.size()) != symbol) continue;
      at_ += symbol.size();
      return TokenKind::symbol;
    }
    if (kSymbols.find(c) != std::string_view::npos) ++at_;
    return TokenKind::symbol;
  }

  TokenKind scan_name() {
    while (true) {
      while (continues_name(char_at(at_))) ++at_;
      if (char_at(at_) != '.' || !continues_name(char_at(at_ + 1))) return TokenKind::name;
      ++at_;
    }
  }

  TokenKind scan_number(Token& token) {
    const size_t start = at_;
    while (is_digit(char_at(at_))) ++at_;
    bool whole = true;
    if (char_at(at_) == '.' && is_digit(char_at(at_ + 1))) {
      whole = false;
      for (++at_; is_digit(char_at(at_));) ++at_;
    }
    if (const size_t digits = exponent_digits(); digits > 0) {
      whole = false;
      for (at_ = digits; is_digit(char_at(at_));) ++at_;
    }
    const char* const begin = text_.data() + start;
    const char* const end = text_.data() + at_;
    if (std::from_chars(begin, end, token.number).ec != std::errc())
      token.number = std::numeric_limits<double>::infinity();
    if (!whole || std::from_chars(begin, end, token.integer).ec != std::errc())
      return TokenKind::real;
    return TokenKind::integer;
  }

  // The position of an exponent's digits, 0 when there is none.
  size_t exponent_digits() const {
    if (char_at(at_) != 'e' && char_at(at_) != 'E') return 0;
    const bool sign = char_at(at_ + 1) == '+' || char_at(at_ + 1) == '-';
    const size_t digits = at_ + (sign ? 2 : 1);
    return is_digit(char_at(digits)) ? digits : 0;
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t line_start_ = 0;
  int line_ = 1;
};

std::string found(const Token& token) {
  if (token.kind == TokenKind::end) return "the end";
  if (token.kind == TokenKind::line_end) return "the end of the line";
  return quoted(token.text);
}

}  // namespace

std::string quoted(std::string_view text) {
  constexpr size_t kShown = 60;
  std::string result = "\"";
  for (const char c : text.substr(0, kShown)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f)
      result += fmt::format("\\x{:02x}", byte);
    else
      result += c;
  }
  return result + (text.size() > kShown ? "…\"" : "\"");
}

Result<Cursor> Cursor::over(std::string_view text, std::string what) {
  constexpr size_t kMaxBytes = size_t{4} << 20;
  if (text.size() > kMaxBytes)
    return fail("{} has {} bytes; expected at most {}", what, text.size(), kMaxBytes);
  Cursor cursor(text, std::move(what));
  Scanner scanner(text);
  while (true) {
    const Token token = scanner.next();
    if (token.kind == TokenKind::symbol && token.text.empty()) {
      const auto offset = static_cast<size_t>(token.text.data() - text.data());
      return cursor.fail_at(token, "found " + quoted(text.substr(offset, 1)) +
                                       ", which is no part of any name, number or symbol");
    }
    cursor.tokens_.push_back(token);
    if (token.kind == TokenKind::end) return cursor;
  }
}

const Token& Cursor::peek(size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

Token Cursor::take() {
  const Token token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool Cursor::at_symbol(std::string_view symbol, size_t ahead) const {
  return peek(ahead).kind == TokenKind::symbol && peek(ahead).text == symbol;
}

bool Cursor::at_name(std::string_view name, size_t ahead) const {
  return peek(ahead).kind == TokenKind::name && peek(ahead).text == name;
}

bool Cursor::accept_symbol(std::string_view symbol) {
  if (!at_symbol(symbol)) return false;
  take();
  return true;
}

bool Cursor::accept_name(std::string_view name) {
  if (!at_name(name)) return false;
  take();
  return true;
}

Result<void> Cursor::expect_symbol(std::string_view symbol) {
  if (accept_symbol(symbol)) return {};
  return unexpected(quoted(symbol));
}

Result<void> Cursor::expect_word(std::string_view name) {
  if (accept_name(name)) return {};
  return unexpected(quoted(name));
}

Result<std::string> Cursor::expect_name(std::string_view meaning) {
  if (peek().kind != TokenKind::name) return unexpected(meaning);
  return std::string(take().text);
}

Result<int64_t> Cursor::expect_integer(std::string_view meaning) {
  const bool negative = at_symbol("-") && peek(1).kind == TokenKind::integer;
  if (negative) take();
  if (peek().kind != TokenKind::integer) return unexpected(meaning);
  const int64_t value = take().integer;
  return negative ? -value : value;
}

Result<double> Cursor::expect_number(std::string_view meaning) {
  const double sign = accept_symbol("-") ? -1 : 1;
  if (accept_name("inf")) return sign * std::numeric_limits<double>::infinity();
  if (peek().kind != TokenKind::integer && peek().kind != TokenKind::real)
    return unexpected(meaning);
  return sign * take().number;
}

Result<void> Cursor::expect_line_end() {
  if (at_end()) return {};
  if (peek().kind != TokenKind::line_end) return unexpected("the end of the line");
  take();
  return {};
}

Result<bool> Cursor::takes_comma(std::string_view closing) {
  if (accept_symbol(",")) return true;
  if (accept_symbol(closing)) return false;
  return unexpected("\",\" or " + quoted(closing));
}

Unexpected Cursor::unexpected(std::string_view expected) const {
  return fail_at(peek(), fmt::format("found {}, expected {}", found(peek()), expected));
}

Unexpected Cursor::fail_at(const Token& token, std::string_view message) const {
  return fail("{} line {}, column {}: {}", what_, token.line, token.column, message);
}

}  // namespace dovetail
