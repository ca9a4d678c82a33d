// SPDX-License-Identifier: Apache-2.0
#pragma once

// Logs drawn at random, as readers give them: small enough that trials tie, fail, and are
// finalists.

#include <string>
#include <vector>

#include "core/record/log/log.h"

namespace dovetail::testing {

// The log has some trials of the campaign `id`, which are the same wherever they are drawn; the
// campaign has the number `number` in it.
Log any_part_of_campaign(const std::string& id, int64_t number);

// The log has one to three campaigns out of four.
Log any_log();

// The results of best_trials as text: record, time, whether confirmed, and trials tied with it.
std::vector<std::string> best_texts(const std::vector<Record>& records);

// It gives the log as read_log reads what print(log) wrote.
Log reread(const Log& log);

}  // namespace dovetail::testing
