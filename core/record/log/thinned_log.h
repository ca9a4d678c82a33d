// SPDX-License-Identifier: Apache-2.0
#pragma once

// read_thinned: of a log, what a run can take, read without ever holding the rest.
//
//   trial   seconds   algorithm
//     1      0.90     direct      slower than 1.33 of the fastest, and not of the fastest few of
//                                 its algorithm: left out
//     2      failed               left out
//     3      0.53     direct      kept
//     4      0.80     winograd    kept: the fastest of its algorithm
//     5      0.50     direct      kept
//
// A network may run in less memory than the log of its campaigns takes: DenseNet-121 with a log of
// 75 MB peaked at 182 MB with all records, and does at 143 MB. best_record says the same of a
// thinned log as of the whole one (finalists stay, whatever their first times were), and so do
// choices among a task's traces that are no slower than kSlowestTaken of the best, or the fastest
// kMostSlow of another way to compute it. Where `distill` makes a file for others, this makes a
// file's reading small.

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/record/log/log.h"

namespace dovetail {

// A network's choice takes no more of one task (campaign/network/network_variants.h).
constexpr double kSlowestTaken = 1.33;  // traces that are slower cost more than any conversion
constexpr size_t kMostTaken = 40;
constexpr size_t kMostSlow = 4;  // of the slower ones, of each way_of() a trace

// How much is kept of one task of one campaign.
struct Thinning {
  bool exact = false;  // algorithms that round otherwise are left out, and do not count as trials
  double slowest = kSlowestTaken;
  // One more than are taken: one of them may be a trace that is known already.
  size_t most_fast = kMostTaken + 1, most_slow = kMostSlow + 1;
  size_t batch = 4096;  // so many records are read before some are left out
};

// As read_log, without sentinels and rounds; Log::num_thinned counts the trials that are missing.
Result<Log> read_thinned(const std::string& path, const Thinning& thinning = {});

}  // namespace dovetail
