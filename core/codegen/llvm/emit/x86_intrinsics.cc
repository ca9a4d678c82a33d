// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/emit/x86_intrinsics.h"

#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>

namespace dovetail::codegen {
namespace {

using Builder = llvm::IRBuilder<>;

constexpr unsigned kLanes = 16;

llvm::Type* words(Builder& builder) {
  return llvm::FixedVectorType::get(builder.getInt32Ty(), kLanes);
}

// 32 bits of A in each lane.
llvm::Value* spread(Builder& builder, llvm::Value* a) {
  return builder.CreateVectorSplat(kLanes, builder.CreateBitCast(a, builder.getInt32Ty()));
}

llvm::Value* dot_bytes(Builder& builder, llvm::Value* sums, llvm::Value* a, llvm::Value* b) {
  return builder.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpdpbusd_512, {}, {sums, a, b});
}

llvm::Value* dot_u8i8(Builder& builder, llvm::Value* output, std::span<llvm::Value* const> reads) {
  return dot_bytes(builder, output, spread(builder, reads[0]),
                   builder.CreateBitCast(reads[1], words(builder)));
}

// A + 128 is an unsigned byte; what it adds, 128 times the sum of B, is the same for all rows, and
// so is computed once for each vector of B.
llvm::Value* dot_i8(Builder& builder, llvm::Value* output, std::span<llvm::Value* const> reads) {
  llvm::Value* offset = llvm::ConstantInt::get(words(builder), 0x80808080U);
  llvm::Value* a = builder.CreateXor(spread(builder, reads[0]), offset);
  llvm::Value* b = builder.CreateBitCast(reads[1], words(builder));
  llvm::Value* none = llvm::Constant::getNullValue(words(builder));
  return builder.CreateSub(dot_bytes(builder, output, a, b), dot_bytes(builder, none, offset, b));
}

llvm::Value* dot_bf16(Builder& builder, llvm::Value* output, std::span<llvm::Value* const> reads) {
  llvm::Type* pairs = llvm::FixedVectorType::get(builder.getBFloatTy(), 2 * kLanes);
  llvm::Value* a = builder.CreateBitCast(spread(builder, reads[0]), pairs);
  return builder.CreateIntrinsic(llvm::Intrinsic::x86_avx512bf16_dpbf16ps_512, {},
                                 {output, a, builder.CreateBitCast(reads[1], pairs)});
}

struct SpellingRow {
  std::string_view name;
  Spelling spelling;
};
constexpr SpellingRow kSpellings[] = {{"avx512_vnni.dot_u8i8", dot_u8i8},
                                      {"avx512_vnni.dot_i8", dot_i8},
                                      {"avx512_bf16.dot_bf16", dot_bf16}};

}  // namespace

Spelling spelling_of(const Intrinsic& intrinsic, const Target& target) {
  if (!has_instruction(target, intrinsic)) return nullptr;
  const auto* const row = std::ranges::find(kSpellings, intrinsic.name, &SpellingRow::name);
  return row == std::end(kSpellings) ? nullptr : row->spelling;
}

}  // namespace dovetail::codegen
