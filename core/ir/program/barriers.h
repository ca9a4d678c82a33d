// SPDX-License-Identifier: Apache-2.0
//
// Barriers where work-items share a tile:
//
//     local t[8]
//     for i in 0..64
//       barrier                   # between what round i - 1 reads and what round i stores
//       t[w] = X[8*i + w]
//       barrier                   # between what is stored and what reads it
//       acc[0] += t[7 - w]
//
// Two copies in turn, t[i mod 2, …] read and t[(i + 1) mod 2, …] stored to, need one barrier a
// round. Of use to the verifier only. A work-item that reads its own elements alone would need
// none; that is not worth a proof.
#pragma once

#include "core/ir/program/program.h"

namespace dovetail {

// Fails when a local tile is read after it was stored to, or stored to after it was read, with no
// barrier in between.
Result<void> check_barriers(const Kernel& kernel);

}  // namespace dovetail
