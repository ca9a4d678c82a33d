// SPDX-License-Identifier: Apache-2.0
#pragma once

// open_opencl_device: an OpenCL device of this machine (core/runtime/device.h), with an in-order
// queue and its own clock.
//
//   const std::unique_ptr<Device> device = TRY(open_opencl_device(name));
//
// Arrays in scope `global` are buffers; parts of one are sub-buffers, made when a kernel takes
// them. Arrays in a texture scope are images of four components; each is bound whole. build()
// compiles OpenCL C and returns the driver's binaries, which load() takes; what the driver made is
// kept (opencl_programs.h).

#include <memory>

#include "core/base/result.h"
#include "core/ir/target.h"
#include "core/runtime/device.h"

namespace dovetail {

// Fails for a profile, which describes a device that is not on this machine.
Result<std::unique_ptr<Device>> open_opencl_device(const TargetName& name);

// A device that was found (driver/opencl_api.h), as the target in `handle`.
struct OpenclHandle;
Result<std::unique_ptr<Device>> open_opencl_device(OpenclHandle handle);

}  // namespace dovetail
