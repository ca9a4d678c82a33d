// SPDX-License-Identifier: Apache-2.0
//
// Which kernel reads and writes which buffer, and from when to when a buffer holds something.
//
//     kernel pad_X      X read, X.pad written
//     kernel c2d        X.pad read, W read, Y written
//     kernel unpack_Y   Y read, Y.wanted written
//
//       X.pad   lives in kernels 0 to 1        X, W   given: to 0, to 1
//       Y       lives in kernels 1 to 2        Y.wanted   asked for: from 2
//
// Emitters make arguments of it, a plan of memory lifetimes; there is no other walk over a program
// that asks this.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/program/program.h"

namespace dovetail {

struct Use {
  bool read = false;
  bool written = false;
  friend bool operator==(const Use&, const Use&) = default;
};
using Uses = std::map<std::string, Use, std::less<>>;  // by name, tiles included

// Prefetches are no uses: they change nothing, whatever lies there.
Uses uses_of(const Block& block);
inline Uses uses_of(const Kernel& kernel) { return uses_of(kernel.body); }

// Kernels by number, the last one included.
struct Lifetime {
  size_t first = 0;
  size_t last = 0;
  friend bool operator==(const Lifetime&, const Lifetime&) = default;
};

// One for each buffer, in order; nothing for a buffer that no kernel uses. What the caller gives
// lives from kernel 0 on; outputs, and what is made once for many runs, live to the last.
std::vector<std::optional<Lifetime>> lifetimes_of(const Program& program);

// The most bytes of temporaries that live at one time: no plan of memory needs less.
int64_t live_workspace_bytes(const Program& program);

}  // namespace dovetail
