// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/emit/device/copy_spelling.h"

#include <fmt/format.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "core/codegen/llvm/emit/device/spelled_calls.h"

namespace dovetail::codegen {
namespace {

constexpr llvm::StringLiteral kCopyPrefix = "dovetail.copy";

struct Address {
  llvm::Value* base = nullptr;
  int64_t offset_bytes = 0;
};

// Offsets that are known become part of the instruction.
Address address_of(const llvm::Module& module, llvm::Value* pointer) {
  const llvm::DataLayout& layout = module.getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  llvm::Value* base =
      pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return {base, offset.getSExtValue()};
}

void spell_copy(llvm::CallInst& call) {
  const llvm::StringRef name = call.getCalledFunction()->getName();
  const llvm::StringRef bytes = name.rsplit('.').second;
  const Address to = address_of(*call.getModule(), call.getArgOperand(0));
  const Address from = address_of(*call.getModule(), call.getArgOperand(1));
  const bool is_part = call.arg_size() > 2;
  std::vector<llvm::Value*> operands = {to.base, from.base};
  if (is_part) operands.push_back(call.getArgOperand(2));
  std::vector<llvm::Type*> types;
  for (llvm::Value* operand : operands) types.push_back(operand->getType());
  llvm::IRBuilder<> builder(&call);
  llvm::FunctionType* signature = llvm::FunctionType::get(builder.getVoidTy(), types, false);
  // Copies of 16 bytes bypass the first cache.
  const std::string text = fmt::format("cp.async.{}.shared.global [$0 + {}], [$1 + {}], {}{};",
                                       bytes == "16" ? "cg" : "ca", to.offset_bytes,
                                       from.offset_bytes, bytes.str(), is_part ? ", $2" : "");
  builder.CreateCall(llvm::InlineAsm::get(signature, text, is_part ? "r,l,r" : "r,l",
                                          /*hasSideEffects=*/true),
                     operands);
}

}  // namespace

bool is_copied_at_once(int64_t bytes) { return bytes == 4 || bytes == 8 || bytes == 16; }

llvm::FunctionCallee later_copy(llvm::Module& module, int64_t bytes, bool is_part) {
  llvm::LLVMContext& context = module.getContext();
  std::vector<llvm::Type*> arguments = {llvm::PointerType::get(context, kSharedSpace),
                                        llvm::PointerType::get(context, kGlobalSpace)};
  if (is_part) arguments.push_back(llvm::Type::getInt32Ty(context));
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      fmt::format("{}{}.{}", kCopyPrefix.str(), is_part ? "_part" : "", bytes),
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), arguments, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setOnlyAccessesArgMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return callee;
}

void spell_later_copies(llvm::Module& module) { spell_calls(module, kCopyPrefix, spell_copy); }

}  // namespace dovetail::codegen
