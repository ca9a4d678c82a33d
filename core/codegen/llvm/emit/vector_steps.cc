// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/emit/vector_steps.h"

#include <fmt/format.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <string>
#include <vector>

#include "core/codegen/llvm/emit/vector_math.h"

namespace dovetail::codegen {
namespace {

using Builder = llvm::IRBuilder<>;

unsigned lanes_of_machine(Builder& builder) {
  const llvm::Function* function = builder.GetInsertBlock()->getParent();
  unsigned lanes = 0;
  function->getFnAttribute(kLanesAttribute).getValueAsString().getAsInteger(10, lanes);
  return lanes;
}

// Lanes of the widest lookup instruction that divides the vector; 0: there is none.
unsigned lanes_looked_up(Builder& builder, llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (vector == nullptr) return 0;
  if (vector->getNumElements() % 16 == 0 && has_feature(builder, "+avx512f")) return 16;
  return vector->getNumElements() % 8 == 0 && has_feature(builder, "+avx2") ? 8 : 0;
}

}  // namespace

const char* vector_register_constraint(const llvm::Module& module, unsigned lanes) {
  if (llvm::Triple(module.getTargetTriple()).isAArch64()) return "w";
  return lanes == 16 ? "v" : "x";
}

llvm::Value* emit_multiply_add(Builder& builder, llvm::Value* a, llvm::Value* b, llvm::Value* c) {
  return builder.CreateIntrinsic(llvm::Intrinsic::fmuladd, {a->getType()}, {a, b, c});
}

llvm::Constant* constant(llvm::Value* like, double value) {
  return llvm::ConstantFP::get(like->getType(), value);
}

llvm::Value* in_step(Builder& builder, llvm::Value* value) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  const unsigned lanes = lanes_of_machine(builder);
  if (type == nullptr || lanes == 0 || !type->getElementType()->isFloatTy()) return value;
  if (type->getNumElements() != 2 * lanes) return value;
  llvm::Type* half = llvm::FixedVectorType::get(type->getElementType(), lanes);
  llvm::Value *first = builder.getInt64(0), *second = builder.getInt64(lanes);
  llvm::FunctionType* signature =
      llvm::FunctionType::get(llvm::StructType::get(half, half), {half, half}, false);
  const std::string constraints = fmt::format(
      "={0},={0},0,1", vector_register_constraint(*builder.GetInsertBlock()->getModule(), lanes));
  llvm::InlineAsm* nothing =
      llvm::InlineAsm::get(signature, "", constraints, /*hasSideEffects=*/false);
  llvm::CallInst* both =
      builder.CreateCall(nothing, {builder.CreateExtractVector(half, value, first),
                                   builder.CreateExtractVector(half, value, second)});
  both->setDoesNotAccessMemory();
  both->setDoesNotThrow();
  llvm::Value* result =
      builder.CreateInsertVector(value->getType(), llvm::PoisonValue::get(value->getType()),
                                 builder.CreateExtractValue(both, 0), first);
  return builder.CreateInsertVector(value->getType(), result, builder.CreateExtractValue(both, 1),
                                    second);
}

llvm::Value* polynomial(Builder& builder, llvm::Value* x,
                        std::initializer_list<double> coefficients) {
  llvm::Value* sum = nullptr;
  for (const double c : coefficients)
    sum = sum == nullptr ? constant(x, c)
                         : in_step(builder, emit_multiply_add(builder, sum, x, constant(x, c)));
  return sum;
}

llvm::Value* magnitude(Builder& builder, llvm::Value* x) {
  return builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
}

llvm::Value* with_sign_of(Builder& builder, llvm::Value* x, llvm::Value* sign) {
  return builder.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, x, sign);
}

llvm::Value* at_most(Builder& builder, llvm::Value* x, double limit) {
  return builder.CreateSelect(builder.CreateFCmpOGT(x, constant(x, limit)), constant(x, limit), x);
}
llvm::Value* at_least(Builder& builder, llvm::Value* x, double limit) {
  return builder.CreateSelect(builder.CreateFCmpOLT(x, constant(x, limit)), constant(x, limit), x);
}

bool has_feature(Builder& builder, const char* feature) {
  const llvm::Function* function = builder.GetInsertBlock()->getParent();
  return function->getFnAttribute("target-features").getValueAsString().contains(feature);
}

bool can_look_up(Builder& builder, llvm::Type* type) { return lanes_looked_up(builder, type) != 0; }

llvm::Value* looked_up(Builder& builder, const LookupTable& table, llvm::Value* index) {
  const auto* indices = llvm::cast<llvm::FixedVectorType>(index->getType());
  llvm::Type* type = llvm::FixedVectorType::get(builder.getFloatTy(), indices->getNumElements());
  const unsigned lanes = lanes_looked_up(builder, type);
  std::vector<float> repeated;
  for (unsigned lane = 0; lane < lanes; ++lane) repeated.push_back(table[lane % kTableSize]);
  llvm::Constant* entries = llvm::ConstantDataVector::get(builder.getContext(), repeated);
  llvm::Type* part = llvm::FixedVectorType::get(builder.getInt32Ty(), lanes);
  llvm::Value* result = llvm::PoisonValue::get(type);
  for (unsigned first = 0; first < indices->getNumElements(); first += lanes) {
    llvm::Value* at = builder.getInt64(first);
    llvm::Value* some = builder.CreateIntrinsic(
        lanes == 16 ? llvm::Intrinsic::x86_avx512_permvar_sf_512 : llvm::Intrinsic::x86_avx2_permps,
        {}, {entries, builder.CreateExtractVector(part, index, at)});
    result = builder.CreateInsertVector(type, result, some, at);
  }
  return result;
}

}  // namespace dovetail::codegen
