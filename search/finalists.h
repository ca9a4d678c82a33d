// SPDX-License-Identifier: Apache-2.0
#pragma once

// Finalists: the fastest trials of a campaign's task, which are measured again before one of them
// wins. The smallest of many noisy times is too good to be true (the winner's curse).

#include <span>
#include <vector>

#include "core/record/line/record.h"

namespace dovetail {

// The fastest valid trials, best first, at most `count`, without those in `except`; equal times in
// the order of the trials.
std::vector<Record> find_finalists(std::span<const Record> records, size_t count,
                                   std::span<const int64_t> except = {});

}  // namespace dovetail
