// SPDX-License-Identifier: Apache-2.0
#pragma once

// ParsedText: a text with the value that it is the printed form of.
//
//   using RecordedTrace = ParsedText<Trace, parse_trace>;
//   RecordedTrace made = trace;                 printed here, and never parsed
//   RecordedTrace read = fields.text("trace");  parsed when value() is first called
//   *read.value() == trace
//
// So a log of a hundred thousand traces costs no more than its texts, and whoever looks at a trace
// twice parses it once. Copies share the value. Any number of threads may call value().

#include <atomic>
#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"

namespace dovetail {

template <typename Value, Result<Value> (*parse)(std::string_view)>
class ParsedText {
 public:
  ParsedText() = default;
  template <std::convertible_to<std::string> Text>
  ParsedText(Text&& text) : text_(std::forward<Text>(text)) {}  // NOLINT: implicit
  ParsedText(Value value)                                       // NOLINT: implicit
      : text_(print(value)), value_(std::make_shared<const Result<Value>>(std::move(value))) {}

  ParsedText(const ParsedText& other) : text_(other.text_), value_(other.value_.load()) {}
  ParsedText(ParsedText&& other) noexcept
      : text_(std::move(other.text_)), value_(other.value_.exchange(nullptr)) {}
  ParsedText& operator=(ParsedText other) noexcept {
    text_ = std::move(other.text_);
    value_ = other.value_.exchange(nullptr);
    return *this;
  }
  ~ParsedText() = default;

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }

  // The error is the parser's.
  const Result<Value>& value() const {
    std::shared_ptr<const Result<Value>> none;
    if (!value_.load())
      value_.compare_exchange_strong(none, std::make_shared<const Result<Value>>(parse(text_)));
    return *value_.load();  // stays until this is assigned to
  }

  friend bool operator==(const ParsedText& a, const ParsedText& b) { return a.text_ == b.text_; }

 private:
  std::string text_;
  mutable std::atomic<std::shared_ptr<const Result<Value>>> value_;  // null: not yet parsed
};

}  // namespace dovetail
