// SPDX-License-Identifier: Apache-2.0
#pragma once

// all_buffers: the arguments of a kernel that takes every buffer of its program, in their order.

#include <numeric>
#include <vector>

#include "core/ir/program/program.h"

namespace dovetail {

inline std::vector<int> all_buffers(const Program& program) {
  std::vector<int> all(program.buffers.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace dovetail
