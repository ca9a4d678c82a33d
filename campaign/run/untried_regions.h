// SPDX-License-Identifier: Apache-2.0
#pragma once

// note_on_untried: lists the regions of a network that have no trial in its log, in one line.
//
//   2 of 21 regions have no trial in tune.jsonl, and run with default traces: fc, pool
//
// Counts the regions that `tune` would tune, not those that exist only between chosen layouts: it
// shows how much of a network's time rests on measurements.

#include <string>

#include "core/base/result.h"
#include "core/frontend/partition/partition.h"
#include "core/record/log/log.h"

namespace dovetail {

// Empty where each region has a trial on a target of this kind.
Result<std::string> note_on_untried(const Partition& parts, const Log& log,
                                    const std::string& target);

}  // namespace dovetail
