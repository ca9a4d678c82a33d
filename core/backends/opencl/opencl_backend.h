// SPDX-License-Identifier: Apache-2.0
#pragma once

// The row of core/backends/backends.cc for OpenCL 1.2 and later.

#include "core/backends/backend.h"

namespace dovetail {

const Backend& opencl_backend();

}  // namespace dovetail
