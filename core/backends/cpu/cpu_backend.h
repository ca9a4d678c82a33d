// SPDX-License-Identifier: Apache-2.0
#pragma once

// The row of core/backends/backends.cc for the CPUs that LLVM knows.

#include "core/backends/backend.h"

namespace dovetail {

const Backend& cpu_backend();

}  // namespace dovetail
