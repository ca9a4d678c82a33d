// SPDX-License-Identifier: Apache-2.0
//
// Instructions of x86, as data.
#pragma once

#include <span>

#include "core/ir/intrinsic/row.h"

namespace dovetail {

std::span<const IntrinsicRow> x86_intrinsics();

}  // namespace dovetail
