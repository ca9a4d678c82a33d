// SPDX-License-Identifier: Apache-2.0
//
// Rewrites a kernel with barriers for sequential execution of its work-items: each runs up to a
// barrier before any goes on.
//
//     for w in 0..8 bind thread.0                registers acc[8, 1]
//       registers acc[1]                         local t[8]
//       local t[8]                               for w in 0..8 bind thread.0
//       acc[0] = 0                                 acc[w, 0] = 0
//       for i in 0..64                      ->   for i in 0..64
//         t[w] = X[8*i + w]                        for w in 0..8 bind thread.0
//         barrier                                    t[w] = X[8*i + w]
//         acc[0] += t[7 - w]                       for w in 0..8 bind thread.0
//         barrier                                    acc[w, 0] += t[7 - w]
//
// Tiles of one work-item that live across a barrier get the work-items as their first axes. Loops
// around a barrier take the same rounds in every work-item. Used by the interpreter only.
#pragma once

#include "core/ir/program/program.h"

namespace dovetail {

Kernel in_phases(const Kernel& kernel);  // the kernel itself when it has no barrier

}  // namespace dovetail
