// SPDX-License-Identifier: Apache-2.0
#pragma once

// BestRow: the fastest valid record that some logs have of one task on one target and device.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/record/log/best_record.h"
#include "core/record/log/log.h"

namespace dovetail {

struct BestRow {
  std::string task;
  std::string target;
  std::string device;
  std::optional<BestTrial> best;
  std::string record;  // its name
  int64_t trials = 0;
  std::optional<double> default_seconds;
};

// In the order of the logs. An error: some of their times are of hot caches, some of cold ones.
Result<std::vector<BestRow>> best_rows(std::span<const Log> logs);

}  // namespace dovetail
