// SPDX-License-Identifier: Apache-2.0
#pragma once

// KeptText: an append-only text, kept in little memory.
//
//   KeptText kept;
//   kept.append("{\"trial\":1,…}\n");
//   kept.text()     all of it
//   kept.tail()     its last bytes, without unpacking any
//
// Each full megabyte is compressed: a log is mostly repetition, and a campaign keeps its text only
// in case that the file is damaged or removed.

#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

class KeptText {
 public:
  void append(std::string_view text);
  std::string text() const;
  // The last bytes, at most kTailBytes of them.
  std::string_view tail() const { return tail_; }
  static constexpr size_t kTailBytes = 64;

 private:
  std::vector<std::string> blocks_;  // compressed
  std::string rest_;                 // the uncompressed end
  std::string tail_;
};

}  // namespace dovetail
