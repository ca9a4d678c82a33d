// SPDX-License-Identifier: Apache-2.0
#pragma once

// src/NAME.c of a package for OpenCL: the runtime, with the kernels' text in it, in one file.
//
//   static const pose_memory pose_memories[] = {
//       {69632, -1, 0, 64, {1, 1, 1}, CL_MEM_OBJECT_BUFFER, CL_FLOAT},           an arena, uploaded
//       {4096, 0, 65536, 0, {1, 1, 1}, CL_MEM_OBJECT_BUFFER, CL_FLOAT},          a part of it
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
// Memory is as the plan has it (deploy/network/network_plan.h): a buffer for its workspace and one
// for its constants, of which kernels take sub-buffers; they begin at multiples of the alignment
// that the target asks for. Images are in no buffer; each is its own object, as in `run`.

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
