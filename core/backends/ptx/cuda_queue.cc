// SPDX-License-Identifier: Apache-2.0
#include "core/backends/ptx/cuda_queue.h"

namespace dovetail {

CudaQueue::~CudaQueue() {
  if (context_ == nullptr) return;
  api_.context_set(context_);
  for (CudaEvent event : {begin_, end_})
    if (event != nullptr) api_.event_destroy(event);
  if (stream_ != nullptr) api_.stream_destroy(stream_);
  api_.context_release(device_);
}

Result<void> CudaQueue::open() {
  // Ordered with copies, which are in the context's own stream and may return before they arrive.
  constexpr unsigned kAfterCopies = 0;  // CU_STREAM_DEFAULT
  TRY(check("cuDevicePrimaryCtxRetain", api_.context_retain(&context_, device_)));
  TRY(enter());
  TRY(check("cuStreamCreate", api_.stream_create(&stream_, kAfterCopies)));
  TRY(check("cuEventCreate", api_.event_create(&begin_, 0)));
  return check("cuEventCreate", api_.event_create(&end_, 0));
}

Result<void> CudaQueue::enter() const {
  return check("cuCtxSetCurrent", api_.context_set(context_));
}

Result<void> CudaQueue::record_begin() const {
  return check("cuEventRecord", api_.event_record(begin_, stream_));
}

Result<void> CudaQueue::record_end() const {
  return check("cuEventRecord", api_.event_record(end_, stream_));
}

Result<double> CudaQueue::seconds() const {
  TRY(check("cuStreamSynchronize", api_.stream_wait(stream_)));
  float milliseconds = 0;
  TRY(check("cuEventElapsedTime", api_.event_milliseconds(&milliseconds, begin_, end_)));
  return 1e-3 * static_cast<double>(milliseconds);
}

}  // namespace dovetail
