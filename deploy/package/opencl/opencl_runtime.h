// SPDX-License-Identifier: Apache-2.0
#pragma once

// src/NAME.c of a package for OpenCL: the runtime, with the kernels' text in it, in one file.
//
//   static const pose_memory pose_memories[] = {
//       {4096, 65600, {1, 1, 1}, CL_MEM_OBJECT_BUFFER, CL_FLOAT},                a constant
//   };
//   static const pose_launch pose_launches[] = {{"pose_p0_pad", {64, 1, 1}, {8, 1, 1}, 0, 2}, …};
//
//   init    finds or takes a device, compiles, makes each memory, uploads constants, makes a kernel
//           for each launch with its arguments set
//   run     writes inputs, enqueues the launches in order, reads outputs, waits
//
// It does what `dovetail run` does on the device (core/backends/opencl/opencl_device.h), with the
// same compiler options, so that results are bit-identical. It needs an ICD loader and allocates no
// host memory: handles are in the caller's struct.
//
// Why memories are not planned into one buffer: a sub-buffer must begin at a multiple of the
// device's alignment, and images are in no buffer; each is its own object, as in `run`.

#include <string>
#include <vector>

#include "deploy/package/c_header.h"
#include "deploy/package/opencl/opencl_tables.h"

namespace dovetail {

struct OpenclRuntimeData {
  std::string weights_header;  // 64 bytes of the weights file
  std::string metadata;        // the result of NAME_metadata()
};

std::string opencl_runtime(const Executable& executable, const PackageInterface& interface,
                           const BuildNames& build, const OpenclTables& tables,
                           const OpenclRuntimeData& data);

}  // namespace dovetail
