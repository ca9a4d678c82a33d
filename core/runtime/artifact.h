// SPDX-License-Identifier: Apache-2.0
#pragma once

// Artifact: a compiled program: code for one device, and the launch parameters of its kernels.
//
//   {.bytes = an object, .kernels = {{.name = "dovetail_kernel_0_pad_X", .extent = 16},
//                                    {.name = "dovetail_kernel_1_c2d", .extent = 2}}}
//
// A plain value: it can be sent to another process or stored in a file.
// core/runtime/loaded_program.h runs it without the program that it was compiled from, except for
// `program`, the layouts of OpenCL buffers.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dovetail {

struct ArtifactKernel {
  std::string name = {};                      // the function's symbol
  int64_t extent = 1;                         // cpu: iterations of the parallel loop
  std::array<int64_t, 3> global = {1, 1, 1};  // opencl: work-items
  std::array<int64_t, 3> local = {1, 1, 1};
  // Indices into Program::buffers. opencl: the arguments in order; cpu: the entries of the kernel's
  // own buffer table, or empty when it takes the table of all buffers.
  std::vector<int> buffers = {};
  friend bool operator==(const ArtifactKernel&, const ArtifactKernel&) = default;
};

struct Artifact {
  std::string bytes = {};                    // cpu: a relocatable object; opencl: a device's binary
  std::vector<ArtifactKernel> kernels = {};  // in launch order
  int64_t kernels_once = 0;  // this many leading kernels prepare constants and run only once
  std::string program = {};  // opencl: the printed program; its buffers are allocated on the device
  friend bool operator==(const Artifact&, const Artifact&) = default;
};

}  // namespace dovetail
