// SPDX-License-Identifier: Apache-2.0
#pragma once

// CheckDataCache: operands and references of the regions that were measured last, each computed
// once.
//
//   MeasureOptions options;
//   options.check_data = std::make_shared<CheckDataCache>();   // runners made with it share it
//
// References cost a second for a large region, and a campaign whose tasks take turns (`tune
// --schedule gradient`) comes back to every one of them: those of a whole network are some hundred
// megabytes. So what is kept is bounded by its bytes: what was not asked for for the longest time
// goes first, and what was asked for last stays, whatever its size. May be asked from any thread:
// one that wants what another one computes waits for it.

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

#include "measure/reference/check_data.h"

namespace dovetail {

// The bytes of operands and of what is expected.
uint64_t bytes_of(const CheckData& data);

class CheckDataCache {
 public:
  // 1 GiB, or an eighth of the machine's memory where that is less.
  static uint64_t default_bytes();

  explicit CheckDataCache(uint64_t most_bytes = default_bytes()) : most_bytes_(most_bytes) {}

  std::shared_ptr<const CheckData> get(const Region& region, DataKind kind, uint64_t seed);
  uint64_t bytes() const;  // of what is kept

 private:
  using Key = std::tuple<std::string, DataKind, uint64_t>;
  struct Entry {
    Key key;
    std::shared_ptr<const CheckData> data;
  };

  const uint64_t most_bytes_;
  mutable std::mutex mutex_;  // of what follows
  std::list<Entry> entries_;  // asked for last at the end
  uint64_t bytes_ = 0;
};

}  // namespace dovetail
