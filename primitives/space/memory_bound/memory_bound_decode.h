// SPDX-License-Identifier: Apache-2.0
//
// Decodes choices of a memory-bound space into a trace; memory_bound_space.h has the order of the
// loops.
#pragma once

#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/space/choices.h"
#include "primitives/space/memory_bound/plan.h"

namespace dovetail::memory_bound {

Trace decode(const Plan& plan, const Target& target, const Choices& choices);

}  // namespace dovetail::memory_bound
