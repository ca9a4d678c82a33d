// SPDX-License-Identifier: Apache-2.0
#pragma once

// KeptByText: what was made of texts, as long as both fit in a number of bytes; what was used least
// recently goes first.
//
//   KeptByText<std::string> binaries(64 << 20);
//   if (const std::string* known = binaries.find(source)) return *known;
//   binaries.keep(source, binary, binary.size());
//
// Entries are compared by their whole text, so that two texts with one hash are not confused.

#include <cstddef>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace dovetail {

template <typename Value>
class KeptByText {
 public:
  explicit KeptByText(size_t most_bytes) : most_bytes_(most_bytes) {}

  // Null: not kept. Valid until the next keep().
  const Value* find(std::string_view text) {
    const auto found = by_text_.find(text);
    if (found == by_text_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &found->second->value;
  }

  // Precondition: the text is not kept. What is larger than the limit alone is not kept either.
  void keep(std::string text, Value value, size_t value_bytes) {
    const size_t bytes = text.size() + value_bytes;
    if (bytes > most_bytes_) return;
    while (bytes_ + bytes > most_bytes_) drop_last();
    entries_.push_front({std::move(text), std::move(value), bytes});
    by_text_.emplace(entries_.front().text, entries_.begin());
    bytes_ += bytes;
  }

  size_t size() const { return entries_.size(); }
  size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::string text;
    Value value;
    size_t bytes = 0;
  };

  void drop_last() {
    bytes_ -= entries_.back().bytes;
    by_text_.erase(entries_.back().text);
    entries_.pop_back();
  }

  size_t most_bytes_;
  size_t bytes_ = 0;
  std::list<Entry> entries_;  // used last in front; the map's keys are their texts
  std::map<std::string_view, typename std::list<Entry>::iterator> by_text_;
};

}  // namespace dovetail
