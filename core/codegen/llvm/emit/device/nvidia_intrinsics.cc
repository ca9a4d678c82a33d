// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/emit/device/nvidia_intrinsics.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/ir/intrinsic/nvidia.h"

namespace dovetail::codegen {
namespace {

llvm::Type* two_halves(llvm::IRBuilder<>& builder) {
  return llvm::FixedVectorType::get(builder.getHalfTy(), 2);
}
llvm::Type* word(llvm::IRBuilder<>& builder) { return builder.getInt32Ty(); }

}  // namespace

const GroupSpelling* group_product_of(const Intrinsic& intrinsic, const Target& target) {
  static const std::vector<GroupSpelling> kSpellings = [] {
    std::vector<GroupSpelling> all;
    for (const ElementType type : kWgmmaTypes)
      for (const int columns : kWgmmaColumns)
        all.push_back({wgmma_of(type, columns), name_of(type), columns});
    return all;
  }();
  if (!has_instruction(target, intrinsic)) return nullptr;
  const auto row = std::ranges::find(kSpellings, intrinsic.name, &GroupSpelling::name);
  return row == kSpellings.end() ? nullptr : &*row;
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
