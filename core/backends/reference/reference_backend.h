// SPDX-License-Identifier: Apache-2.0
#pragma once

// The row of core/backends/backends.cc for the interpreter.

#include "core/backends/backend.h"

namespace dovetail {

const Backend& reference_backend();

}  // namespace dovetail
