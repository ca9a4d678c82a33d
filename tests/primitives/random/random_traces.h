// SPDX-License-Identifier: Apache-2.0
//
// Free random traces: any primitive on any axis or loop that exists when it is drawn, with factors
// that mostly divide and amounts that are mostly sensible, so that a good share is legal and every
// kind of mistake is made as well.
//
//   std::mt19937_64 rng(1);
//   const Trace trace = random_trace(op, cpu(), rng);
#pragma once

#include <random>

#include "core/ir/operator/operator.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail::testing {

Trace random_trace(const Operator& op, const Target& target, std::mt19937_64& rng);

}  // namespace dovetail::testing
