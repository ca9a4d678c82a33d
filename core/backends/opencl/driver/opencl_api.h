// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shared by this folder's OpenCL files only: error texts and device discovery in OpenCL's own
// types, passed as opaque pointers, so that no header of the project includes OpenCL's.

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"

namespace dovetail {

struct OpenclHandle {
  void* platform = nullptr;  // cl_platform_id
  void* device = nullptr;    // cl_device_id
  bool is_cpu = false;
  Target target;
};

// In the order of list_opencl_devices().
Result<std::vector<OpenclHandle>> find_opencl_devices();
Result<OpenclHandle> find_opencl_device(const TargetName& name);

std::string opencl_error_name(int code);
// `clCreateBuffer: CL_OUT_OF_RESOURCES (buffer of 4096 bytes, device …)`
Unexpected opencl_error(std::string_view call, int code, std::string_view what = {});

}  // namespace dovetail
