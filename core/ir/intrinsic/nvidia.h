// SPDX-License-Identifier: Apache-2.0
//
// Instructions of NVIDIA's tensor cores, as data.
#pragma once

#include <span>

#include "core/ir/intrinsic/row.h"

namespace dovetail {

std::span<const IntrinsicRow> nvidia_intrinsics();

}  // namespace dovetail
