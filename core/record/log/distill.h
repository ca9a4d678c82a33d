// SPDX-License-Identifier: Apache-2.0
#pragma once

// distill: reduces a log to the records that decide which one is best: a thousandth of its size, to
// be committed beside a table, or built from.
//
//   {"schema":2,...}                            {"schema":2,...,"distilled_from":1000}
//   {"trial":1,...} ... {"trial":1000,...}  ->  {"trial":1,...}       the default trace
//   {"kind":"sentinel",...}                     {"kind":"sentinel",...}
//   {"kind":"confirmation","of_trial":371,...}  {"trial":214,...}     the best
//                                               {"trial":371,...}     a finalist, or the best of
//                                                                     another algorithm
//                                               {"kind":"confirmation","of_trial":371,...}
//
// Keeps for each task of each campaign: its best trial, the best one of each algorithm (for
// comparisons of direct kernels), the default trace with its sentinels (the gain is over it), and
// the finalists of the last sitting with their confirmations. best_trials returns the same for both
// logs, so a replay uses the same traces. Lines that this program wrote are reproduced byte for
// byte; headers gain the original number of trials, which tells readers that gaps are no damage,
// and `tune` that there is nothing to resume.

#include "core/record/log/log.h"

namespace dovetail {

Log distill(const Log& log);

}  // namespace dovetail
