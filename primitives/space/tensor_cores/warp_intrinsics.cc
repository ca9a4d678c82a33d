// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/tensor_cores/warp_intrinsics.h"

#include <fmt/format.h>

namespace dovetail::tensor_cores {

std::string mma_of(ElementType type) { return fmt::format("mma.m16n8k16_{}", name_of(type)); }

std::string wgmma_of(ElementType type, int64_t columns) {
  return fmt::format("wgmma.m64n{}k{}_{}", columns, type == ElementType::tf32 ? 8 : 16,
                     name_of(type));
}

}  // namespace dovetail::tensor_cores
