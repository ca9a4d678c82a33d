// SPDX-License-Identifier: Apache-2.0
#pragma once

// open_cuda_device: a device of NVIDIA through its own driver (core/runtime/device.h).
//
//   const CudaApi* cuda = TRY(cuda_api());
//   const std::vector<CudaDevice> found = TRY(find_cuda_devices(*cuda));
//   const std::unique_ptr<Device> device = TRY(open_cuda_device(*cuda, found[0]));
//
// build() assembles PTX, load() takes what it made. Launches of a range are a graph (cuda_code.h):
// the device starts a node in some 1 µs, and the host is asked once.
//
// Why not OpenCL's calls, which load PTX, too: the same kernel of tensor cores took 13 % longer
// (docs/decisions/0056), each launch costs the host 4.6 µs, and there are no graphs.

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"
#include "core/runtime/device.h"

namespace dovetail {

struct CudaDevice {
  int number = 0;                  // CUDA's ordinal
  int64_t compute_capability = 0;  // 90 is 9.0
  Target target;
};

struct CudaApi;  // driver/cuda_api.h

Result<std::vector<CudaDevice>> find_cuda_devices(const CudaApi& api);
Result<std::unique_ptr<Device>> open_cuda_device(const CudaApi& api, const CudaDevice& device);

}  // namespace dovetail
