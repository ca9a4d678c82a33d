// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/emit/device/bulk_spelling.h"

#include <fmt/format.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <string>
#include <vector>

#include "core/codegen/llvm/emit/device/spelled_calls.h"

namespace dovetail::codegen {
namespace {

constexpr llvm::StringLiteral kBegin = "dovetail.bulk.begin", kCopy = "dovetail.bulk.copy",
                              kClose = "dovetail.bulk.close", kWait = "dovetail.bulk.wait";
constexpr int64_t kWordBytes = 8;

void call(llvm::IRBuilder<>& builder, llvm::StringRef name,
          const std::vector<llvm::Value*>& operands) {
  std::vector<llvm::Type*> types;
  for (llvm::Value* operand : operands) types.push_back(operand->getType());
  llvm::FunctionCallee callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      name, llvm::FunctionType::get(builder.getVoidTy(), types, false));
  llvm::cast<llvm::Function>(callee.getCallee())->setConvergent();
  builder.CreateCall(callee, operands);
}

// The call's operands in the order of the text's $0, $1, ….
void spell_bulk(llvm::CallInst& call, const std::string& text, const char* constraints) {
  std::vector<llvm::Value*> operands(call.arg_begin(), call.arg_end());
  std::vector<llvm::Type*> types;
  for (llvm::Value* operand : operands) types.push_back(operand->getType());
  llvm::IRBuilder<> builder(&call);
  llvm::FunctionType* signature = llvm::FunctionType::get(builder.getVoidTy(), types, false);
  llvm::CallInst* spelled = builder.CreateCall(llvm::InlineAsm::get(signature, text, constraints,
                                                                    /*hasSideEffects=*/true),
                                               operands);
  spelled->setConvergent();
}

// PTX ISA, "mbarrier": words that the copies' engine sees must be set before they are used.
void spell_begin(llvm::CallInst& call) {
  const int64_t count = llvm::cast<llvm::ConstantInt>(call.getArgOperand(2))->getSExtValue();
  std::string text;
  for (int64_t i = 0; i < count; ++i)
    text += fmt::format("@$0 mbarrier.init.shared::cta.b64 [$1 + {}], 1; ", i * kWordBytes);
  spell_bulk(call, text + "fence.mbarrier_init.release.cluster;", "b,r,n,~{memory}");
}

// A branch: under a condition alone, ptxas lets every warp go through the work-items' addresses.
void spell_bulk_copy(llvm::CallInst& call) {
  spell_bulk(call,
             "{ @!$0 bra OTHERS; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [$4], $3; "
             "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$1], [$2], $3, "
             "[$4]; OTHERS: }",
             "b,r,l,r,r,~{memory}");
}

void spell_close(llvm::CallInst& call) {
  spell_bulk(call, "@$0 mbarrier.arrive.shared::cta.b64 _, [$1];", "b,r,~{memory}");
}

void spell_wait(llvm::CallInst& call) {
  spell_bulk(
      call,
      "{ .reg .pred arrived; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 arrived, [$0], $1; "
      "@arrived bra DONE; bra AGAIN; DONE: }",
      "r,r,~{memory}");
}

}  // namespace

void begin_batches(llvm::IRBuilder<>& builder, llvm::Value* one, llvm::Value* words,
                   int64_t count) {
  call(builder, kBegin, {one, words, builder.getInt32(static_cast<uint32_t>(count))});
}

void copy_in_bulk(llvm::IRBuilder<>& builder, llvm::Value* one, llvm::Value* to, llvm::Value* from,
                  int64_t bytes, llvm::Value* word) {
  call(builder, kCopy, {one, to, from, builder.getInt32(static_cast<uint32_t>(bytes)), word});
}

void close_batch(llvm::IRBuilder<>& builder, llvm::Value* one, llvm::Value* word) {
  call(builder, kClose, {one, word});
}

void wait_for_batch(llvm::IRBuilder<>& builder, llvm::Value* word, llvm::Value* parity) {
  call(builder, kWait, {word, parity});
}

void spell_bulk_copies(llvm::Module& module) {
  spell_calls(module, kBegin, spell_begin);
  spell_calls(module, kCopy, spell_bulk_copy);
  spell_calls(module, kClose, spell_close);
  spell_calls(module, kWait, spell_wait);
}

}  // namespace dovetail::codegen
