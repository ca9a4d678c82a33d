// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/emit/device/group_spelling.h"

#include <fmt/format.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <string>

#include "core/base/text.h"
#include "core/ir/intrinsic/nvidia.h"

namespace dovetail::codegen {
namespace {

using Builder = llvm::IRBuilder<>;

constexpr llvm::StringLiteral kProductPrefix = "dovetail.wgmma.";
constexpr int kGroupRows = 64, kGroupWorkItems = 128;

llvm::Type* sums_type(llvm::LLVMContext& context, size_t count) {
  return llvm::StructType::get(context,
                               std::vector<llvm::Type*>(count, llvm::Type::getFloatTy(context)));
}

// `=f,…,` for so many results, and the tie of each to an operand: `0,1,…`.
std::string results(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += "=f,";
  return text;
}
std::string ties(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += fmt::format("{},", i);
  return text;
}

// PTX ISA, "Matrix Descriptor Format": the address and both steps in units of 16 bytes; no swizzle.
llvm::Value* descriptor(Builder& builder, llvm::Value* pointer, llvm::Value* along_k_bytes,
                        llvm::Value* along_rows_bytes) {
  const auto field = [&](llvm::Value* bytes, uint64_t shift) {
    llvm::Value* units = builder.CreateLShr(builder.CreateAnd(bytes, 0x3FFFF), 4);
    return builder.CreateShl(builder.CreateZExt(units, builder.getInt64Ty()), shift);
  };
  llvm::Value* steps = builder.CreateOr(field(along_k_bytes, 16), field(along_rows_bytes, 32));
  return builder.CreateOr(steps, field(builder.CreatePtrToInt(pointer, builder.getInt32Ty()), 0));
}

void spell_product(llvm::CallInst& call) {
  const llvm::StringRef name =
      call.getCalledFunction()->getName().drop_front(kProductPrefix.size());
  const auto [type, columns] = name.split('.');
  Builder builder(&call);
  llvm::Value* a =
      descriptor(builder, call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2));
  llvm::Value* b =
      descriptor(builder, call.getArgOperand(3), call.getArgOperand(4), call.getArgOperand(5));
  std::vector<llvm::Value*> operands = {a, b};
  std::string registers;
  constexpr unsigned kSums = 6;
  const size_t count = call.arg_size() - kSums;
  for (size_t i = 0; i < count; ++i) {
    operands.push_back(call.getArgOperand(static_cast<unsigned>(kSums + i)));
    registers += fmt::format("{}${}", i == 0 ? "" : ", ", i);
  }
  // Factors keep their signs; halves are also told to be along k, which words always are.
  const ElementType factor = *element_type_named({type.data(), type.size()});
  const std::string_view along = factor == ElementType::tf32 ? "" : ", 0, 0";
  const std::string text = fmt::format(
      "wgmma.mma_async.sync.aligned.m{0}n{1}k{2}.f32.{3}.{3} {{{4}}}, ${5}, ${6}, 1, 1, 1{7};",
      kGroupRows, columns.str(), wgmma_terms(factor), type.str(), registers, count, count + 1,
      along);
  std::vector<llvm::Type*> types;
  for (llvm::Value* operand : operands) types.push_back(operand->getType());
  llvm::FunctionType* signature = llvm::FunctionType::get(call.getType(), types, false);
  llvm::InlineAsm* assembly =
      llvm::InlineAsm::get(signature, text, results(count) + "l,l," + ties(count) + "~{memory}",
                           /*hasSideEffects=*/true);
  llvm::CallInst* spelled = builder.CreateCall(signature, assembly, operands);
  spelled->setConvergent();
  call.replaceAllUsesWith(spelled);
}

}  // namespace

llvm::FunctionCallee group_product(llvm::Module& module, std::string_view type, int columns,
                                   unsigned address_space) {
  llvm::LLVMContext& context = module.getContext();
  const auto count = static_cast<size_t>(kGroupRows * columns / kGroupWorkItems);
  llvm::Type* word = llvm::Type::getInt32Ty(context);
  llvm::Type* pointer = llvm::PointerType::get(context, address_space);
  std::vector<llvm::Type*> arguments = {pointer, word, word, pointer, word, word};
  arguments.insert(arguments.end(), count, llvm::Type::getFloatTy(context));
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      fmt::format("{}{}.{}", kProductPrefix.str(), type, columns),
      llvm::FunctionType::get(sums_type(context, count), arguments, false));
  llvm::cast<llvm::Function>(callee.getCallee())->setConvergent();
  return callee;
}

std::vector<llvm::Value*> pass_through_wait(Builder& builder,
                                            const std::vector<llvm::Value*>& values) {
  const std::vector<llvm::Type*> types(values.size(), builder.getFloatTy());
  llvm::FunctionType* signature =
      llvm::FunctionType::get(sums_type(builder.getContext(), values.size()), types, false);
  llvm::InlineAsm* assembly = llvm::InlineAsm::get(
      signature, "wgmma.wait_group.sync.aligned 0;",
      results(values.size()) + ties(values.size()) + "~{memory}", /*hasSideEffects=*/true);
  llvm::CallInst* waited = builder.CreateCall(signature, assembly, values);
  waited->setConvergent();
  std::vector<llvm::Value*> after;
  for (unsigned i = 0; i < values.size(); ++i)
    after.push_back(builder.CreateExtractValue(waited, i));
  return after;
}

void spell_group_products(llvm::Module& module) {
  spell_calls(module, kProductPrefix, spell_product);
}

}  // namespace dovetail::codegen
