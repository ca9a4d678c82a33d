// SPDX-License-Identifier: Apache-2.0
#pragma once

// IR of a device's kernels as IR for this CPU: one memory, and functions of this program in place
// of what only a device has: numbers of work-items, barriers, instructions of warps.
//
//   %0 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()     ->     %0 = call i32 @thread_x()

#include <array>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dovetail::testing {

// The words that each work-item of a warp gives to an instruction of all of them: four pairs of A,
// two of B, four sums.
constexpr size_t kLanes = 32;
using Words = std::array<uint32_t, 10>;
struct Warp {
  std::barrier<> barrier{kLanes};
  std::array<Words, kLanes> words = {};
};

// The answers that a work-item gets from its device.
struct WorkItem {
  std::array<uint32_t, 3> thread = {}, group = {};
  std::barrier<>* barrier = nullptr;
  Warp* warp = nullptr;  // none in a group that is no multiple of 32
  size_t lane = 0, warp_number = 0;
};
extern thread_local WorkItem current;

struct HostFunction {
  const char* intrinsic;
  const char* symbol;
  void* function;
};
std::vector<HostFunction> host_functions();

std::string ir_for_host(const std::string& ir);

}  // namespace dovetail::testing
