// SPDX-License-Identifier: Apache-2.0
//
// Names of the intrinsics that multiply tiles of halves: mma.m16n8k16_f16, wgmma.m64n128k16_f16.
#pragma once

#include <cstdint>
#include <string>

#include "core/ir/value/element_type.h"

namespace dovetail::tensor_cores {

std::string mma_of(ElementType type);
std::string wgmma_of(ElementType type, int64_t columns);

}  // namespace dovetail::tensor_cores
