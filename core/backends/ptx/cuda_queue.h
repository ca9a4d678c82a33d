// SPDX-License-Identifier: Apache-2.0
#pragma once

// CudaQueue: a device's context and the stream in which all its kernels run, and CudaMemory, an
// allocation of it.
//
//   auto queue = std::make_shared<CudaQueue>(api, number);
//   TRY(queue->open());
//   TRY(queue->check("cuMemAlloc", queue->api().memory_alloc(&address, bytes)));
//
// Memory and code share the queue, so that the context outlives them.

#include <memory>
#include <string_view>

#include "core/backends/ptx/driver/cuda_api.h"
#include "core/base/result.h"
#include "core/ir/value/ndarray.h"

namespace dovetail {

class CudaQueue {
 public:
  CudaQueue(const CudaApi& api, CudaDeviceNumber device) : api_(api), device_(device) {}
  CudaQueue(const CudaQueue&) = delete;
  CudaQueue& operator=(const CudaQueue&) = delete;
  ~CudaQueue();

  Result<void> open();

  const CudaApi& api() const { return api_; }
  CudaStream stream() const { return stream_; }
  // Calls of this thread are then about this context.
  Result<void> enter() const;
  Result<void> check(std::string_view call, CudaResult code, std::string_view what = {}) const {
    return check_cuda(api_, call, code, what);
  }

  Result<void> record_begin() const;
  Result<void> record_end() const;
  Result<double> seconds() const;  // waits; between both

 private:
  const CudaApi& api_;
  CudaDeviceNumber device_;
  CudaContext context_ = nullptr;
  CudaStream stream_ = nullptr;
  CudaEvent begin_ = nullptr, end_ = nullptr;
};

struct CudaMemory : ArrayMemory {
  ~CudaMemory() override {
    if (address != 0 && queue->enter()) queue->api().memory_free(address);
  }
  std::shared_ptr<const CudaQueue> queue;
  CudaAddress address = 0;
};

}  // namespace dovetail
