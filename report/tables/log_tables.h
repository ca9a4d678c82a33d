// SPDX-License-Identifier: Apache-2.0
#pragma once

// What logs hold, as tables for people and as JSON objects of one line.

#include <span>
#include <string>

#include "core/record/log/log.h"
#include "core/record/statistics/log_stats.h"
#include "report/data/best_rows.h"

namespace dovetail {

std::string best_table(std::span<const BestRow> rows);
std::string best_json(std::span<const BestRow> rows);

// A row a campaign and task: counts, failures, default, best.
std::string stats_table(std::span<const Log> logs);
std::string stats_json(std::span<const Log> logs);

// A line for each damaged line, and one that sums it up.
std::string check_text(const LogCheck& check);
std::string check_json(std::span<const LogCheck> checks);

// How much is in a file that these logs were written to.
std::string counts_text(std::span<const Log> logs, const std::string& file, bool json);

}  // namespace dovetail
