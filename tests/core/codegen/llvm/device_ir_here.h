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
#include <deque>
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

// A copy that is done when the work-item waits for its batch, and not before.
struct Copy {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  uint32_t bytes = 0, read = 0;  // zeros behind those that are read
};

// The answers that a work-item gets from its device.
struct WorkItem {
  std::array<uint32_t, 3> thread = {}, group = {};
  std::barrier<>* barrier = nullptr;
  Warp* warp = nullptr;  // none in a group that is no multiple of 32
  size_t lane = 0, warp_number = 0;
  std::deque<std::vector<Copy>> batches = {{}};  // the last one is not closed
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
