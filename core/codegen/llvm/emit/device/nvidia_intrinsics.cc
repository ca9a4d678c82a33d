// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/emit/device/nvidia_intrinsics.h"

#include <fmt/format.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <algorithm>
#include <array>
#include <vector>

namespace dovetail::codegen {
namespace {

llvm::Type* two_halves(llvm::IRBuilder<>& builder) {
  return llvm::FixedVectorType::get(builder.getHalfTy(), 2);
}
llvm::Type* word(llvm::IRBuilder<>& builder) { return builder.getInt32Ty(); }

}  // namespace

int terms_of(std::string_view type) { return type == "tf32" ? 8 : 16; }

const GroupSpelling* group_product_of(const Intrinsic& intrinsic, const Target& target) {
  static const std::vector<GroupSpelling> kSpellings = [] {
    std::vector<GroupSpelling> all;
    for (const std::string_view type : {"f16", "bf16", "tf32"})
      for (const int columns : {16, 32, 64, 128, 256})
        all.push_back(
            {fmt::format("wgmma.m64n{}k{}_{}", columns, terms_of(type), type), type, columns});
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
