// SPDX-License-Identifier: Apache-2.0
#pragma once

// Result<T>: a T, or an Error whose one-line message explains why there is none.
//
//   Result<int64_t> tile_count(int64_t extent, int64_t factor) {
//     if (extent % factor != 0) return fail("factor 3 does not divide extent 64 of axis co");
//     return extent / factor;
//   }
//
//   Result<int64_t> twice(int64_t extent) {
//     const int64_t tiles = TRY(tile_count(extent, 3));   // returns the error to our caller
//     return 2 * tiles;
//   }
//
// An error is an ordinary value here: it can be counted, logged and printed, and a search that
// tries a thousand illegal traces a second does not pay for exceptions. The interface is that of
// C++23's std::expected<T, Error>, so that this header can be deleted one day, with one difference:
// taking the value of an error (or the error of a value) is a CHECK failure instead of undefined
// behaviour.

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/base/check.h"

namespace dovetail {

// Tells a caller whether other input or another device would help.
enum class ErrorKind : uint8_t {
  input,        // other input is needed
  device_limit  // another device may well run the same: this one has too little of something
};

struct Error {
  std::string message;  // one line: the thing, the value found, the value expected
  ErrorKind kind = ErrorKind::input;
  friend bool operator==(const Error&, const Error&) = default;
};

// A function returns this when it has no value; it converts to any Result.
class Unexpected {
 public:
  explicit Unexpected(Error error) : error_(std::move(error)) {}
  const Error& error() const& { return error_; }
  Error&& error() && { return std::move(error_); }

 private:
  Error error_;
};

[[nodiscard]] inline Unexpected fail(std::string message) {
  return Unexpected(Error{std::move(message)});
}

// "buffer X: image width 8193 is over …": the same error, and the thing that has it.
[[nodiscard]] inline Unexpected fail_in(const std::string& context, Error error) {
  error.message = context + ": " + error.message;
  return Unexpected(std::move(error));
}

template <typename T>
class [[nodiscard]] Result {
  static_assert(!std::is_reference_v<T>, "a Result holds a value; use a pointer");

 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit
  Result(Unexpected unexpected)                                          // NOLINT: implicit
      : state_(std::in_place_index<1>, std::move(unexpected).error()) {}
  // `return x;` where x converts implicitly to a T: a derived pointer, a string literal, an
  // initialiser.
  template <typename U>
    requires(std::is_convertible_v<U &&, T> && !std::is_same_v<std::remove_cvref_t<U>, T> &&
             !std::is_same_v<std::remove_cvref_t<U>, Result> &&
             !std::is_same_v<std::remove_cvref_t<U>, Unexpected>)
  Result(U&& value)  // NOLINT: implicit
      : state_(std::in_place_index<0>, std::forward<U>(value)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & { return *checked_value(); }
  const T& value() const& { return *checked_value(); }
  T&& value() && { return std::move(*checked_value()); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return checked_value(); }
  const T* operator->() const { return checked_value(); }

  const Error& error() const& {
    DOVETAIL_CHECK(!has_value(), "error() of a Result that holds a value");
    return *std::get_if<1>(&state_);
  }
  Error&& error() && {
    DOVETAIL_CHECK(!has_value(), "error() of a Result that holds a value");
    return std::move(*std::get_if<1>(&state_));
  }

  template <typename U>
  T value_or(U&& fallback) const& {
    return has_value() ? **this : static_cast<T>(std::forward<U>(fallback));
  }
  friend bool operator==(const Result& a, const Result& b)
    requires requires(const T& x) { x == x; }
  {
    return a.state_ == b.state_;
  }

 private:
  T* checked_value() {
    DOVETAIL_CHECK(has_value(), "value() of an error: " + std::get_if<1>(&state_)->message);
    return std::get_if<0>(&state_);
  }
  const T* checked_value() const { return const_cast<Result*>(this)->checked_value(); }

  std::variant<T, Error> state_;
};

// Success without a value: `return {};`, or `return fail(...)`.
template <>
class [[nodiscard]] Result<void> : public Result<std::monostate> {
 public:
  Result() : Result<std::monostate>(std::monostate{}) {}
  Result(Unexpected unexpected)  // NOLINT: implicit
      : Result<std::monostate>(std::move(unexpected)) {}

  void value() const { Result<std::monostate>::value(); }
  void operator*() const { value(); }
};

}  // namespace dovetail

// TRY(expression): the value of a Result; on an error, returns it from the enclosing function.
// Works for move-only values and for Result<void>. A named Result is copied; TRY(std::move(named))
// avoids that. Use it as a whole statement or initialiser: inside a larger expression it is
// unspecified which other parts have been evaluated when TRY returns.
#define DOVETAIL_TRY(...)                                                    \
  ({                                                                         \
    auto dovetail_try_result = (__VA_ARGS__);                                \
    if (!dovetail_try_result.has_value())                                    \
      return ::dovetail::Unexpected(std::move(dovetail_try_result).error()); \
    std::move(dovetail_try_result).value();                                  \
  })

#ifdef DOVETAIL_SHORT_MACROS
#define TRY DOVETAIL_TRY
#endif
