// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which loops of a kernel become work-groups and work-items, and what becomes of the others.
//
//   for h in 0..56 bind group.0          groups  {56, 1, 1}
//     for w.0 in 0..8 bind thread.0      threads { 8, 1, 1}     global {448, 1, 1}, local {8, 1, 1}
//
// A kernel without bound loops gives its outermost parallel loop to group.0; one without either
// runs once. A distributed loop occurs once and everything lies inside it; what fills the tiles
// that work-items share uses the variables of these loops.

#include <array>
#include <cstdint>

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/target.h"

namespace dovetail::opencl {

enum class LoopForm : uint8_t {
  constant,    // one iteration: the variable is 0
  unrolled,    // written out
  vectorized,  // vector values
  serial,      // a loop of the text
  group,       // get_group_id
  thread       // get_local_id
};

struct Geometry {
  std::array<int64_t, 3> groups = {1, 1, 1}, threads = {1, 1, 1};
  const Loop* parallel_as_group = nullptr;  // the loop that takes group.0 without being bound
};

// Errors name the kernel: a work-group over the device's limit, an axis bound twice, a statement
// outside.
Result<Geometry> geometry_of(const Kernel& kernel, const Target& target);

LoopForm form_of(const Loop& loop, const Geometry& geometry);
int dimension_of(const Loop& loop);  // 0 … 2, of a group or thread loop

}  // namespace dovetail::opencl
