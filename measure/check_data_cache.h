// SPDX-License-Identifier: Apache-2.0
#pragma once

// CheckDataCache: operands and references of the last few operators, each computed once.
//
//   MeasureOptions options;
//   options.check_data = std::make_shared<CheckDataCache>();   // runners made with it share it
//
// References cost a second for a large operator; a campaign has few operators at a time, and
// several runners may be at the same one. May be asked from any thread: one that wants what another
// one computes waits for it.

#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "measure/output_check.h"

namespace dovetail {

class CheckDataCache {
 public:
  std::shared_ptr<const CheckData> get(const Operator& op, DataKind kind, uint64_t seed);

 private:
  using Key = std::tuple<std::string, DataKind, uint64_t>;
  std::mutex mutex_;
  std::vector<std::pair<Key, std::shared_ptr<const CheckData>>> entries_;  // oldest first
};

}  // namespace dovetail
