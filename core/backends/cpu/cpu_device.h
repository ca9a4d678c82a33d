// SPDX-License-Identifier: Apache-2.0
#pragma once

// open_cpu_device: this host as a device (core/runtime/device.h): arrays are host memory, in 2 MiB
// pages where they are large, and kernels run on the arrays as they are, on a pool of threads.
//
//   const std::unique_ptr<Device> device = TRY(open_cpu_device(target, {0, 1}));

#include <memory>
#include <vector>

#include "core/base/result.h"
#include "core/runtime/device.h"

namespace dovetail {

// `cores` must not be empty where code is to be loaded. The threads start with the first load().
Result<std::unique_ptr<Device>> open_cpu_device(const Target& target,
                                                const std::vector<int>& cores);

}  // namespace dovetail
