// SPDX-License-Identifier: Apache-2.0
#pragma once

// Logs drawn at random, as readers give them: small enough that trials tie, fail, and are
// finalists.

#include "core/record/log/log.h"

namespace dovetail::testing {

// Of the campaign `id`, whose trials are the same wherever they are drawn: some of them, numbered
// `number` in this log.
Log any_part_of_campaign(const std::string& id, int64_t number);

// Of one to three campaigns out of four.
Log any_log();

// As read_log gives what print(log) wrote.
Log reread(const Log& log);

}  // namespace dovetail::testing
