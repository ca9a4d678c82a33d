// SPDX-License-Identifier: Apache-2.0
//
// An estimate of the cycles that a product by tensor cores takes on a device, by its groups' tile:
//
//   a round of a group     the longest of   rows * columns * terms / terms a cycle
//                                           bytes that instructions read / 128 a cycle
//                                           bytes of both copies / bytes a cycle
//                                           (the first one, a barrier, and stores where operands
//                                           go through registers) / resident groups
//                                           latency / rounds ahead / resident groups
//                          and half a barrier / resident groups; no barrier where products are
//                          awaited a round later, unless they take less
//   all                    waves of groups * (rounds * a round + latency and stores / resident)
//
//   4096 x 4096 x 4096 in f16 on an H200, kernels by hand: TFLOP/s measured, estimated
//   128 x 256, parts of 32, 1 ahead        382, 348
//   128 x 256, parts of 64, 1 ahead        471, 457
//   128 x 256, parts of 16, 3 ahead        486, 473
//   128 x 128, parts of 32, 2 ahead        532, 470
//   128 x 256, parts of 64, 3 ahead        632, 620
//   128 x 256, parts of 64, 2 ahead, 1 behind    682, 645
//
// It chooses a default; a search corrects it.
#pragma once

#include <cstdint>

#include "core/ir/target.h"

namespace dovetail::tensor_cores {

struct GroupWork {
  int64_t groups = 1;
  int64_t rows = 0, columns = 0;  // a group's tile
  int64_t terms = 0;              // added to each sum in a round
  int64_t round_bytes = 0;        // that a round copies
  int64_t read_bytes = 0;         // that a round's instructions read from local memory
  int64_t rounds = 1, ahead = 0;
  int64_t work_items = 0, registers = 0;  // a group has, and each of them
  int64_t local_bytes = 0;                // a group's
  int64_t terms_a_cycle = 0;              // products that a unit adds up in a cycle
  int64_t behind = 0;                     // rounds that are awaited later
};

double tile_cycles(const GroupWork& work, const Target& target);

// A kernel that adds up so many partial sums, with its start.
double cycles_of_second_kernel(double sums, const Target& target);

}  // namespace dovetail::tensor_cores
