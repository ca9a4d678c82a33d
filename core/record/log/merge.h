// SPDX-License-Identifier: Apache-2.0
#pragma once

// merge: what several logs hold, as one, each campaign once.
//
//   a.jsonl: campaigns 6f1d (trials 1 to 3), 09ab       merge: 1 = 6f1d (trials 1 to 4)
//   b.jsonl: campaign  6f1d (trials 1 to 4)        ->          2 = 09ab
//
// A campaign is known by the id in its header, wherever its lines have been copied to; campaigns
// are ordered by when they began, and numbered anew; their records by when they were made. So the
// order of the logs does not matter, a log merged with itself, or with a part of itself, is itself,
// and logs of many machines can be collected in any order. Two lines that claim to be the same
// trial and are not have one of them kept, the smaller as text, and `warnings` says so.

#include <vector>

#include "core/record/log/log.h"

namespace dovetail {

Log merge(const std::vector<Log>& logs);

}  // namespace dovetail
