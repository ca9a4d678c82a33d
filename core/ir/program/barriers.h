// SPDX-License-Identifier: Apache-2.0
//
// Checks the barriers around tiles that work-items share:
//
//     local t[8]
//     for i in 0..64
//       barrier                   # between what round i - 1 reads and what round i stores
//       t[w] = X[8*i + w]
//       barrier                   # between what is stored and what reads it
//       acc[0] += t[7 - w]
//
// A double buffer, t[i mod 2, …] read and t[(i + 1) mod 2, …] stored to, needs one barrier per
// iteration. Several copies that asynchronous stores fill need one, too, which leaves the later
// copies' stores on their way:
//
//     for i in 0..62
//       barrier leaving 1
//       acc[0] += t[i mod 3, 7 - w]
//       t[(i + 2) mod 3, w] = X[8*i + w + 16] async
//
// Instructions that run on by themselves may read on after a barrier that says so, `products 1`:
// what the last round's read is then stored to in the round after the next at the earliest.
//
// Work-items that read only their own elements would need none, but this is not
// analysed. Used by the verifier only.
#pragma once

#include "core/ir/program/program.h"

namespace dovetail {

// Fails when a local tile is read after a store, or stored to after a read, without a barrier in
// between, while an asynchronous store of the same copy may be on its way, or while an asynchronous
// instruction may read it.
Result<void> check_barriers(const Kernel& kernel);

}  // namespace dovetail
