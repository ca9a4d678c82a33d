// SPDX-License-Identifier: Apache-2.0
//
// lower: schedule -> program. A list of named passes (lower.cc shows them in order, one line each);
// in dev builds each result is verified. Padded and unfolded activations are stages (copy kernels)
// already; a read outside a tensor that no padding covers becomes a bounds check here.
#pragma once

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/target.h"

namespace dovetail {

Result<Program> lower(const Schedule& schedule, const Target& target);

}  // namespace dovetail
