// SPDX-License-Identifier: Apache-2.0
#pragma once

// load_cuda_code: kernels of loaded modules, ready to run on a device of NVIDIA's
// (core/runtime/device.h).
//
// Launches of a range are a graph, made when they first run on some arrays (cuda_graph.h). A timed
// sample is one graph of all repetitions, or a few.

#include <memory>
#include <vector>

#include "core/backends/ptx/cuda_queue.h"
#include "core/base/result.h"
#include "core/runtime/device.h"

namespace dovetail {

struct CudaLoaded {
  CudaLoaded() = default;
  CudaLoaded(const CudaLoaded&) = delete;
  CudaLoaded& operator=(const CudaLoaded&) = delete;
  ~CudaLoaded() {
    if (module != nullptr && queue->enter()) queue->api().module_unload(module);
  }
  std::shared_ptr<const CudaQueue> queue;
  CudaModule module = nullptr;
};

// Fails where no module has a launch's kernel.
Result<std::unique_ptr<LoadedCode>> load_cuda_code(
    std::shared_ptr<const CudaQueue> queue, std::vector<std::shared_ptr<const CudaLoaded>> modules,
    const std::vector<Launch>& launches);

}  // namespace dovetail
