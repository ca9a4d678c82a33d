// SPDX-License-Identifier: Apache-2.0
//
// in_framework_layouts: the same program for callers who keep activations in framework layout: each
// one that the program wants in another layout is converted by a kernel of its own, at both ends.
//
//     buffer X: f32 activation X[n=1, i=64, h=56, w=56] as [n@1:1] [i@16:4] [h@1:56] [w@1:56] …
//   becomes
//     buffer X.plain: f32 activation X[n=1, i=64, h=56, w=56] as [n@1:1] [i@1:64] [h@1:56] …
//     buffer X: f32 temporary …
//     kernel pack_X
//       for i.0 in 0..4 parallel
//         for h in 0..56
//           for i.1 in 0..16
//             for w in 0..56
//               X[0, i.0, h, w, i.1] = X.plain[0, 16*i.0 + i.1, h, w]
//
// and an output likewise, the other way round, last. A padding pass reads the framework's elements
// itself, without a conversion before it.
//
// Why: one-to-one layouts of activations cost nothing in a network that keeps them, and all of
// their conversions in a program that is called alone; `bench` shows both. Why on programs: the
// conversions are the caller's, not part of what is searched.
#pragma once

#include "core/base/result.h"
#include "core/ir/program/program.h"

namespace dovetail {

// Refuses activations in textures: those are not kept in framework layout by anyone.
Result<Program> in_framework_layouts(const Program& program);

}  // namespace dovetail
