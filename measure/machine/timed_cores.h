// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cores.h"
#include "core/base/result.h"
#include "core/ir/target.h"

namespace dovetail {

// Splits the cores that the calling thread may use into those that time the target's candidates and
// the others. Fails if there are too few.
Result<CoreSplit> cores_for(const Target& target);

}  // namespace dovetail
