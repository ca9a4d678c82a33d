// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which OpenCL devices are this machine's own processor: PoCL. Their threads compete with ours,
// their memory is our memory, and its limits are meaningful.

#include "core/ir/target.h"

namespace dovetail {

bool runs_on_host(const Target& target);  // cpu targets do, too

}  // namespace dovetail
