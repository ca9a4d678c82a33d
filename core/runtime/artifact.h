// SPDX-License-Identifier: Apache-2.0
#pragma once

// Artifact: what a builder made of a program: code for one device, and how to launch its kernels.
//
//   {.bytes = an object, .kernels = {{.name = "dovetail_kernel_0_pad_X", .extent = 16},
//                                    {.name = "dovetail_kernel_1_c2d", .extent = 2}}}
//
// A value: it may be sent to another process, or kept in a file. core/runtime/loaded_program.h runs
// it; what needs the program that it was made of is in its kernels, but for the memory of buffers.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dovetail {

struct ArtifactKernel {
  std::string name = {};                      // of the function in the code
  int64_t extent = 1;                         // cpu: of its parallel loop
  std::array<int64_t, 3> global = {1, 1, 1};  // opencl: work-items
  std::array<int64_t, 3> local = {1, 1, 1};
  // Indices into Program::buffers. opencl: the arguments in order; cpu: the kernel's own table of
  // buffers, or all of them where this is empty.
  std::vector<int> buffers = {};
  friend bool operator==(const ArtifactKernel&, const ArtifactKernel&) = default;
};

struct Artifact {
  std::string bytes = {};                    // cpu: a relocatable object; opencl: a device's binary
  std::vector<ArtifactKernel> kernels = {};  // in launch order
  int64_t kernels_once = 0;  // so many of the first ones prepare constants, and run once
  std::string program = {};  // opencl: printed, for the buffers that are held on the device
  friend bool operator==(const Artifact&, const Artifact&) = default;
};

}  // namespace dovetail
