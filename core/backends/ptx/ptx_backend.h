// SPDX-License-Identifier: Apache-2.0
#pragma once

// The row of core/backends/backends.cc for NVIDIA's processors by PTX that LLVM writes.
//
//   ptx, ptx:NAME            the first device, or the first with NAME in its name
//   ptx:profile=FILE         a device that is not here
//
// It runs through NVIDIA's own driver (cuda_device.h), and has no images.

#include "core/backends/backend.h"

namespace dovetail {

const Backend& ptx_backend();

}  // namespace dovetail
