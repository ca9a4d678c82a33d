// SPDX-License-Identifier: Apache-2.0
#pragma once

// note_on_untried: which regions of a network its log says nothing of, in one line.
//
//   2 of 21 regions have no trial in tune.jsonl, and run with default traces: fc, pool
//
// Those that `tune` would tune, not those that exist only between chosen layouts: a reader is to
// know how much of what was measured is behind a network's time.

#include <string>

#include "core/base/result.h"
#include "core/frontend/partition/partition.h"
#include "core/record/log/log.h"

namespace dovetail {

// Empty where each region has a trial on a target of this kind.
Result<std::string> note_on_untried(const Partition& parts, const Log& log,
                                    const std::string& target);

}  // namespace dovetail
