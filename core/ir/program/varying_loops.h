// SPDX-License-Identifier: Apache-2.0
//
// VaryingLoops: the enclosing loops with which a value changes.
//
//     for a in 0..8
//       for b in 0..16
//         acc[a, b] = 0
//     for c in 0..5
//       for a in 0..8
//         for b in 0..16
//           acc[a, b] += (A[c, b] + 0.25) * 0.5 + B[c]        the product changes with c and b
//     for a in 0..8
//       for b in 0..16
//         Y[a, b] = acc[a, b] * 2       with b alone: what is stored to acc is the same for every a
//
// Why not all enclosing loops: a compiler hoists loop invariants, so that a lower bound of the work
// that counts every iteration would reject a correct time as impossible. Too few loops make the
// bound weaker, too many make it wrong; in doubt a loop is left out.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/ir/program/program.h"

namespace dovetail {

using LoopSet = std::set<const Loop*>;

class VaryingLoops {
 public:
  explicit VaryingLoops(const Program& program);  // `program` must outlive it

  // `around`: the kernel's loops around the value, outermost first.
  LoopSet of(const Value& value, const Kernel& kernel, std::span<const Loop* const> around) const;

 private:
  // The dimensions of a buffer or tile along which its contents differ, and the loops with which
  // they change.
  struct Contents {
    std::vector<bool> along;
    LoopSet loops;
    friend bool operator==(const Contents&, const Contents&) = default;
  };
  // Tiles of two kernels may share a name; the kernel of a buffer is null.
  using Place = std::pair<const Kernel*, std::string>;

  Place place_of(const Kernel& kernel, const std::string& name) const;
  void compare_stores();
  void add_stores(const Block& block, const Kernel& kernel, std::vector<const Loop*>& around);
  void add_variables(const IndexExpr& index, const Kernel& kernel,
                     std::span<const Loop* const> around, LoopSet& loops) const;
  void add_load(const Load& load, const Kernel& kernel, std::span<const Loop* const> around,
                LoopSet& loops) const;

  const Program& program_;
  std::map<Place, Contents> stored_;
};

}  // namespace dovetail
