// SPDX-License-Identifier: Apache-2.0
#pragma once

// The row of core/backends/backends.cc for NVIDIA's processors by PTX that LLVM writes.
//
//   ptx, ptx:NAME            the first OpenCL device of NVIDIA, or the first with NAME in its name
//   ptx:profile=FILE         a device that is not here
//
// The devices are OpenCL's, with its queues and buffers; what differs is the code: no OpenCL C, and
// no images.

#include "core/backends/backend.h"

namespace dovetail {

const Backend& ptx_backend();

}  // namespace dovetail
