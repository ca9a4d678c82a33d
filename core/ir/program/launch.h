// SPDX-License-Identifier: Apache-2.0
#pragma once

// Launch: how a compiled kernel is started.
//
//   {.name = "dovetail_p0_1_c2d", .extent = 16, .buffers = {0, 3, 5}}       on threads
//   {.name = "dovetail_p0_c2d", .global = {12, 1, 1}, .local = {2, 1, 1}}   in work-groups
//
// Emitters give one for each kernel of a program; a device runs them in order.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dovetail {

struct Launch {
  std::string name = {};                      // the function in the code
  int64_t extent = 1;                         // threads: iterations of the parallel loop
  std::array<int64_t, 3> global = {1, 1, 1};  // work-groups: work-items in all, and in a group
  std::array<int64_t, 3> local = {1, 1, 1};
  std::vector<int> buffers = {};  // its arguments in order: positions in a list of buffers
  std::vector<int> written = {};  // those that it writes, where kernels run in work-groups
  // It begins by waiting for what was launched before it, so that a device may start it early.
  bool waits_itself = false;
  int64_t local_bytes = 0;  // local memory of a group beside what its code declares
  friend bool operator==(const Launch&, const Launch&) = default;
};

// Texts that an emitter writes for a driver: one of all kernels, or one for each. Apart, a kernel
// that several programs have is the same text in each, if it has the same name there.
enum class KernelTexts : uint8_t { together, apart };

}  // namespace dovetail
