// SPDX-License-Identifier: Apache-2.0
#pragma once

// Geometry: which loops of a kernel become work-groups and work-items, and the form of the others.
//
//   for h in 0..56 bind group.0          groups  {56, 1, 1}
//     for w.0 in 0..8 bind thread.0      threads { 8, 1, 1}     global {448, 1, 1}, local {8, 1, 1}
//
// Without bound loops, the outermost parallel loop is bound to group.0; without either, the kernel
// runs once. A distributed loop occurs once and encloses everything; code that fills tiles shared
// by work-items uses the variables of these loops.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/program/launch.h"
#include "core/ir/program/program.h"
#include "core/ir/target.h"

namespace dovetail {

enum class LoopForm : uint8_t {
  constant,    // one iteration: the variable is 0
  unrolled,    // written out
  vectorized,  // vector values
  serial,      // a loop in the text
  group,       // get_group_id
  thread       // get_local_id
};

struct Geometry {
  std::array<int64_t, 3> groups = {1, 1, 1}, threads = {1, 1, 1};
  const Loop* parallel_as_group = nullptr;  // an unbound loop that is distributed as group.0
};

// Errors name the kernel: a work-group over the device's limit, an axis bound twice, a statement
// outside of the distributed loops.
Result<Geometry> geometry_of(const Kernel& kernel, const Target& target);

LoopForm form_of(const Loop& loop, const Geometry& geometry);
int dimension_of(const Loop& loop);  // 0 … 2, for group and thread loops

// The program's buffers that the kernel reads or writes, which are its arguments in that order.
std::vector<int> buffers_of(const Program& program, const Kernel& kernel);
Launch launch_of(std::string name, const Program& program, const Kernel& kernel,
                 const Geometry& geometry);

}  // namespace dovetail
