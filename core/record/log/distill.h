// SPDX-License-Identifier: Apache-2.0
#pragma once

// distill: of a log, the records that decide which one is best: a thousandth of its size, to be
// committed beside a table, or built from.
//
//   {"schema":2,...}                            {"schema":2,...,"distilled_from":1000}
//   {"trial":1,...} ... {"trial":1000,...}  ->  {"trial":214,...}     the best
//   {"kind":"sentinel",...}                     {"trial":371,...}     a finalist, or the best of
//   {"kind":"confirmation","of_trial":371,...}                        another algorithm
//                                               {"kind":"confirmation","of_trial":371,...}
//
// For each task of each campaign: its best trial, the best one of each algorithm (a comparison of
// direct kernels needs that), and the finalists of the last sitting with their confirmations.
// best_trials says the same of both, so a replay takes the same traces. Lines that this program
// wrote come out as the same bytes; headers gain the number of trials that there were, which tells
// a reader that gaps are no damage, and `tune` that there is nothing to resume.

#include "core/record/log/log.h"

namespace dovetail {

Log distill(const Log& log);

}  // namespace dovetail
