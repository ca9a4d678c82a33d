// SPDX-License-Identifier: Apache-2.0
//
// Instructions of NVIDIA's tensor cores, as data, and their names:
//
//   mma_of(ElementType::f16) == "mma.m16n8k16_f16"
//   wgmma_of(ElementType::tf32, 128) == "wgmma.m64n128k8_tf32"
#pragma once

#include <array>
#include <span>
#include <string>

#include "core/ir/intrinsic/row.h"
#include "core/ir/value/element_type.h"

namespace dovetail {

// Columns that a wgmma of 64 rows has, and the types of its factors.
inline constexpr std::array kWgmmaColumns = {16, 32, 64, 128, 256};
inline constexpr std::array kWgmmaTypes = {ElementType::f16, ElementType::bf16, ElementType::tf32};
// Terms that it adds to a sum: 32 bytes of each factor.
inline int wgmma_terms(ElementType type) { return type == ElementType::tf32 ? 8 : 16; }

std::string mma_of(ElementType type);  // factors of f16 or bf16
std::string wgmma_of(ElementType type, int64_t columns);

std::span<const IntrinsicRow> nvidia_intrinsics();

}  // namespace dovetail
