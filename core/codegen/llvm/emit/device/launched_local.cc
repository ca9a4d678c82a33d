// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/emit/device/launched_local.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "core/codegen/llvm/emit/device/spelled_calls.h"

namespace dovetail::codegen {
namespace {

constexpr uint64_t kMostInCode = 48 << 10;
constexpr uint64_t kAlignment = 128;  // a launch gives; arrays ask for 64

struct Placed {
  llvm::GlobalVariable* array = nullptr;
  uint64_t offset = 0;
};
struct LocalMemory {
  std::vector<Placed> arrays;
  uint64_t bytes = 0;
};

// The kernel that uses an array, as it is or inside of constant addresses; null: none.
const llvm::Function* kernel_of(const llvm::Value& used) {
  for (const llvm::User* user : used.users()) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
    const llvm::Function* found = instruction ? instruction->getFunction() : kernel_of(*user);
    if (found != nullptr) return found;
  }
  return nullptr;
}

// One array behind the other.
std::map<const llvm::Function*, LocalMemory> local_memory_of(llvm::Module& module) {
  std::map<const llvm::Function*, LocalMemory> found;
  for (llvm::GlobalVariable& array : module.globals()) {
    const llvm::Function* kernel =
        array.getAddressSpace() == kSharedSpace ? kernel_of(array) : nullptr;
    if (kernel == nullptr) continue;
    LocalMemory& memory = found[kernel];
    const uint64_t offset = llvm::alignTo(memory.bytes, array.getAlign().valueOrOne());
    memory.arrays.push_back({&array, offset});
    memory.bytes = offset + module.getDataLayout().getTypeAllocSize(array.getValueType());
  }
  return found;
}

llvm::GlobalVariable* launched_array(llvm::Module& module) {
  llvm::Type* byte = llvm::Type::getInt8Ty(module.getContext());
  auto* array = new llvm::GlobalVariable(
      module, llvm::ArrayType::get(byte, 0), /*isConstant=*/false,
      llvm::GlobalValue::ExternalLinkage, /*Initializer=*/nullptr, "dovetail_local",
      /*InsertBefore=*/nullptr, llvm::GlobalValue::NotThreadLocal, kSharedSpace);
  array->setAlignment(llvm::Align(kAlignment));
  return array;
}

}  // namespace

std::map<std::string, int64_t> give_local_memory_at_launch(llvm::Module& module) {
  std::map<std::string, int64_t> bytes;
  llvm::GlobalVariable* all = nullptr;
  for (const auto& [function, memory] : local_memory_of(module)) {
    if (memory.bytes <= kMostInCode) continue;
    if (all == nullptr) all = launched_array(module);
    bytes[function->getName().str()] = static_cast<int64_t>(memory.bytes);
    for (const Placed& placed : memory.arrays) {
      llvm::Type* byte = llvm::Type::getInt8Ty(module.getContext());
      llvm::Constant* offset =
          llvm::ConstantInt::get(llvm::Type::getInt32Ty(module.getContext()), placed.offset);
      placed.array->replaceAllUsesWith(
          llvm::ConstantExpr::getInBoundsGetElementPtr(byte, all, offset));
      placed.array->eraseFromParent();
    }
  }
  return bytes;
}

}  // namespace dovetail::codegen
