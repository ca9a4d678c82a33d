// SPDX-License-Identifier: Apache-2.0
#pragma once

// merge: several logs combined into one, each campaign once.
//
//   a.jsonl: campaigns 6f1d (trials 1 to 3), 09ab       merge: 1 = 6f1d (trials 1 to 4)
//   b.jsonl: campaign  6f1d (trials 1 to 4)        ->          2 = 09ab
//
// A campaign is identified by the id in its header, wherever its lines were copied to. Campaigns
// are sorted by start time and renumbered; their records are sorted by time. So merging is
// commutative and idempotent: the order of logs does not matter, a log merged with itself, or a
// part of itself, is itself, and logs of many machines can be collected in any order. Of two
// different lines for the same trial, the smaller as text is kept, with an entry in `warnings`.

#include <vector>

#include "core/record/log/log.h"

namespace dovetail {

Log merge(const std::vector<Log>& logs);

}  // namespace dovetail
