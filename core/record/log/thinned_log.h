// SPDX-License-Identifier: Apache-2.0
#pragma once

// read_thinned: reads from a log only the records that a run can use, without ever holding the
// rest.
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
// 75 MB peaked at 182 MB with all records, and at 143 MB thinned. best_record gives the same answer
// as for the whole log (finalists stay, whatever their first times were), and so do choices among a
// task's traces within kSlowestTaken of the best, or the fastest kMostSlow of another way to
// compute it. `distill` makes a small file for others; this makes reading a file cheap.

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/record/log/log.h"

namespace dovetail {

// Limits on the traces of one task that a network's choice considers
// (campaign/network/network_variants.h).
constexpr double kSlowestTaken = 1.33;  // times the best; slower ones cost more than conversions
constexpr size_t kMostTaken = 40;
constexpr size_t kMostSlow = 4;  // slower traces per way_of()

// How many trials of one task of one campaign are kept.
struct Thinning {
  bool exact = false;  // drop algorithms that round differently; they do not count as trials
  double slowest = kSlowestTaken;
  // One more than a choice considers: one of them may be a trace that is known already.
  size_t most_fast = kMostTaken + 1, most_slow = kMostSlow + 1;
  size_t batch = 4096;  // records read between thinnings
};

// Like read_log, without sentinels and rounds; Log::num_thinned counts the dropped trials.
Result<Log> read_thinned(const std::string& path, const Thinning& thinning = {});

}  // namespace dovetail
