// SPDX-License-Identifier: Apache-2.0
#pragma once

// OpenclMemory: a buffer or an image of an OpenCL device, and its copies from and to the host.
// Used by this folder only, whose OpenCL types do not leave it.

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"
#include "core/ir/value/ndarray.h"

namespace dovetail {

template <auto Release>
struct OpenclReleaser {
  void operator()(auto* handle) const { Release(handle); }
};
template <typename Handle, auto Release>
using OwnedOpencl = std::unique_ptr<std::remove_pointer_t<Handle>, OpenclReleaser<Release>>;

using OwnedContext = OwnedOpencl<cl_context, clReleaseContext>;
using OwnedQueue = OwnedOpencl<cl_command_queue, clReleaseCommandQueue>;
using OwnedMemory = OwnedOpencl<cl_mem, clReleaseMemObject>;
using OwnedKernel = OwnedOpencl<cl_kernel, clReleaseKernel>;
using OwnedEvent = OwnedOpencl<cl_event, clReleaseEvent>;
using OwnedProgram = OwnedOpencl<cl_program, clReleaseProgram>;

struct OpenclQueue {
  OwnedContext context;
  OwnedQueue queue;
};

struct OpenclMemory : ArrayMemory {
  // Releases parts in the reverse order of their creation: NVIDIA's driver (580.159) corrupts its
  // memory where overlapping sub-buffers that kernels used are released in other orders.
  ~OpenclMemory() override {
    while (!parts.empty()) parts.pop_back();
  }

  std::shared_ptr<OpenclQueue> queue;
  OwnedMemory whole;
  int64_t bytes = 0;
  std::array<size_t, 3> region = {1, 1, 1};  // images only: width, height, layers
  // Parts that kernels took, as they were created; and their places by first byte and bytes.
  mutable std::vector<OwnedMemory> parts;
  mutable std::map<std::pair<int64_t, int64_t>, cl_mem> parts_by_place;
};

// Fails where the device has no such image, or none of that type.
Result<std::shared_ptr<OpenclMemory>> allocate_opencl(std::shared_ptr<OpenclQueue> queue,
                                                      const Target& target, ElementType type,
                                                      const std::vector<int64_t>& shape,
                                                      MemoryScope scope);

// Blocking copies of a part. Those of a part of an image go through a copy of the whole.
Result<void> read_opencl(const OpenclMemory& memory, int64_t first, std::span<std::byte> bytes);
Result<void> write_opencl(const OpenclMemory& memory, int64_t first,
                          std::span<const std::byte> bytes);

// The object that a kernel takes for a dense array; null if that is not one of this queue's.
Result<cl_mem> opencl_argument(const NDArray& array, const OpenclQueue& queue);

Result<void> check_opencl(std::string_view call, cl_int code);

// Seconds between the start of `first` and the end of `last`, which have ended, by the device's
// clock.
Result<double> opencl_seconds(cl_event first, cl_event last);

}  // namespace dovetail
