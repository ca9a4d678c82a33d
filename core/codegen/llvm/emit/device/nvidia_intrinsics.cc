// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/emit/device/nvidia_intrinsics.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

#include <algorithm>
#include <array>

namespace dovetail::codegen {
namespace {

llvm::Type* two_halves(llvm::IRBuilder<>& builder) {
  return llvm::FixedVectorType::get(builder.getHalfTy(), 2);
}
llvm::Type* word(llvm::IRBuilder<>& builder) { return builder.getInt32Ty(); }

}  // namespace

const GroupSpelling* group_product_of(const Intrinsic& intrinsic, const Target& target) {
  static constexpr std::array kSpellings = {
      GroupSpelling{"wgmma.m64n16k16_f16", "f16", 16},
      GroupSpelling{"wgmma.m64n32k16_f16", "f16", 32},
      GroupSpelling{"wgmma.m64n64k16_f16", "f16", 64},
      GroupSpelling{"wgmma.m64n128k16_f16", "f16", 128},
      GroupSpelling{"wgmma.m64n256k16_f16", "f16", 256},
      GroupSpelling{"wgmma.m64n16k16_bf16", "bf16", 16},
      GroupSpelling{"wgmma.m64n32k16_bf16", "bf16", 32},
      GroupSpelling{"wgmma.m64n64k16_bf16", "bf16", 64},
      GroupSpelling{"wgmma.m64n128k16_bf16", "bf16", 128},
      GroupSpelling{"wgmma.m64n256k16_bf16", "bf16", 256},
  };
  if (!has_instruction(target, intrinsic)) return nullptr;
  const auto* const row = std::ranges::find(kSpellings, intrinsic.name, &GroupSpelling::name);
  return row == kSpellings.end() ? nullptr : row;
}

const FragmentSpelling* fragments_of(const Intrinsic& intrinsic, const Target& target) {
  static constexpr std::array kSpellings = {
      FragmentSpelling{"mma.m16n8k16_f16", llvm::Intrinsic::nvvm_mma_m16n8k16_row_col_f32_f32,
                       two_halves},
      FragmentSpelling{"mma.m16n8k16_bf16", llvm::Intrinsic::nvvm_mma_m16n8k16_row_col_bf16, word},
  };
  if (!has_instruction(target, intrinsic)) return nullptr;
  const auto* const row = std::ranges::find(kSpellings, intrinsic.name, &FragmentSpelling::name);
  return row == kSpellings.end() ? nullptr : row;
}

}  // namespace dovetail::codegen
