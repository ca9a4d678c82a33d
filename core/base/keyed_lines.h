// SPDX-License-Identifier: Apache-2.0
#pragma once

// KeyedLines: consumes lines `key value` from the front of a text, in their order: the header of a
// file whose rest is bytes.
//
//   KeyedLines lines("rows 4312\ntrees 812\n…", "saved cost model");
//   TRY(lines.take_count("rows"))     4312
//   TRY(lines.take("trees"))          "812"
//   lines.rest()                      "…"

#include <cstdint>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

class KeyedLines {
 public:
  // `what`: the file's name in messages. `text` and `what` must outlive the object.
  KeyedLines(std::string_view text, std::string_view what) : rest_(text), what_(what) {}

  Result<std::string_view> take(std::string_view key);
  Result<int64_t> take_count(std::string_view key);  // a whole number of at least 0
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  std::string_view what_;
};

}  // namespace dovetail
