// SPDX-License-Identifier: Apache-2.0
//
// The memory of a kernel: the addresses of its buffers, and its tiles on the stack.
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include "core/codegen/llvm/emit/kernel_emitter.h"
#include "core/ir/operator/operator.h"

namespace dovetail::codegen {
namespace {

llvm::MDNode* integer_node(llvm::LLVMContext& context, uint64_t value) {
  llvm::Type* type = llvm::Type::getInt64Ty(context);
  return llvm::MDNode::get(context,
                           llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(type, value)));
}

}  // namespace

llvm::Type* stored_type(llvm::IRBuilder<>& builder, ElementType type) {
  switch (type) {
    case ElementType::f32: return builder.getFloatTy();
    case ElementType::f16: return builder.getHalfTy();
    case ElementType::f64: return builder.getDoubleTy();
    default: return builder.getIntNTy(static_cast<unsigned>(8 * bytes_of(type)));
  }
}

void KernelEmitter::declare_memory() {
  declare_buffers();
  declare_shared_and_private_tiles(kernel_.body);
  declare_alias_scopes();
}

void KernelEmitter::declare_buffers() {
  for (const Buffer& buffer : program_.buffers) {
    Storage storage;
    storage.name = buffer.name;
    storage.extents = physical_extents(buffer.layout);
    storage.elements = num_elements(storage.extents);
    storage.type = buffer.dtype;
    storage.element = stored_type(builder_, buffer.dtype);
    storage_named_.emplace(buffer.name, static_cast<int>(storages_.size()));
    storages_.push_back(std::move(storage));
  }
  if (!on_device()) return;
  llvm::Function* function = index_.entry()->getParent();
  for (unsigned i = 0; i < form_->buffers.size(); ++i)
    storages_[form_->buffers[i]].base = function->getArg(i);
}

// Buffers, local and private tiles never alias: each has an alias scope of its own, and noalias
// metadata with those of all others.
void KernelEmitter::declare_alias_scopes() {
  llvm::LLVMContext& context = module_.getContext();
  llvm::MDBuilder metadata(context);
  llvm::MDNode* domain = metadata.createAnonymousAliasScopeDomain();
  std::vector<llvm::Metadata*> scopes;
  while (scopes.size() < storages_.size())
    scopes.push_back(metadata.createAnonymousAliasScope(domain));
  for (size_t i = 0; i < storages_.size(); ++i) {
    std::vector<llvm::Metadata*> others = scopes;
    others.erase(others.begin() + static_cast<ptrdiff_t>(i));
    storages_[i].alias_scope = llvm::MDNode::get(context, {scopes[i]});
    storages_[i].no_alias = llvm::MDNode::get(context, others);
  }
}

llvm::Value* KernelEmitter::pointer_to(int number, const PointIndex& at) {
  llvm::Value* base = base_of(number);
  return index_.pointer(number, base, storages_[number].element, at.counters);
}

// A CPU's kernel loads a buffer's address from the table once, in the function's entry.
llvm::Value* KernelEmitter::base_of(int number) {
  Storage& storage = storages_[number];
  if (storage.base != nullptr) return storage.base;
  llvm::LLVMContext& context = module_.getContext();
  llvm::IRBuilderBase::InsertPointGuard guard(builder_);
  builder_.SetInsertPoint(index_.entry()->getTerminator());
  llvm::Function* function = index_.entry()->getParent();
  llvm::Value* slot = builder_.CreateConstInBoundsGEP1_64(builder_.getPtrTy(), function->getArg(0),
                                                          static_cast<uint64_t>(number));
  llvm::LoadInst* base =
      builder_.CreateAlignedLoad(builder_.getPtrTy(), slot, llvm::Align(8), storage.name);
  const auto bytes = static_cast<uint64_t>(storage.elements * bytes_of(storage.type));
  base->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
  base->setMetadata(llvm::LLVMContext::MD_nonnull, llvm::MDNode::get(context, {}));
  base->setMetadata(llvm::LLVMContext::MD_noundef, llvm::MDNode::get(context, {}));
  base->setMetadata(llvm::LLVMContext::MD_align, integer_node(context, kBufferAlignment));
  base->setMetadata(llvm::LLVMContext::MD_dereferenceable, integer_node(context, bytes));
  return storage.base = base;
}

void KernelEmitter::declare_shared_and_private_tiles(const Block& block) {
  for (const Statement& statement : block) {
    if (const auto* loop = std::get_if<Loop>(&statement.node))
      declare_shared_and_private_tiles(loop->body);
    const auto* tile = std::get_if<ScopedTile>(&statement.node);
    if (tile == nullptr) continue;
    if (tile->scope == TileScope::private_) declare_tile(*tile);
    if (tile->scope == TileScope::local) declare_local_tile(*tile);
  }
}

// An alloca; SROA promotes it to SSA values where all accesses have constant indices.
void KernelEmitter::declare_tile(const ScopedTile& tile) {
  if (const auto local = local_tiles_.find(&tile); local != local_tiles_.end()) {
    if (std::exchange(storage_named_[tile.name], local->second) != local->second) accesses_.clear();
    return;
  }
  const bool is_registers = tile.scope == TileScope::registers;
  const auto known = storage_named_.find(tile.name);
  for (int s = 0; s < static_cast<int>(storages_.size()); ++s) {
    const Storage& storage = storages_[s];
    if (!storage.is_tile || storage.name != tile.name || storage.extents != tile.extents ||
        storage.type != tile.type || storage.is_registers != is_registers)
      continue;
    if (known->second != s) accesses_.clear();  // the name now refers to another tile
    known->second = s;
    return;
  }
  if (known != storage_named_.end()) accesses_.clear();
  Storage storage;
  storage.name = tile.name;
  storage.is_tile = true;
  storage.is_registers = is_registers;
  storage.extents = tile.extents;
  storage.elements = num_elements(tile.extents);
  storage.type = tile.type;
  storage.element = stored_type(builder_, tile.type);
  llvm::IRBuilderBase::InsertPointGuard guard(builder_);
  builder_.SetInsertPoint(index_.entry()->getTerminator());
  llvm::Type* type = llvm::ArrayType::get(storage.element, static_cast<uint64_t>(storage.elements));
  llvm::AllocaInst* memory = builder_.CreateAlloca(type, nullptr, tile.name);
  memory->setAlignment(llvm::Align(kBufferAlignment));
  storage.base = memory;
  storage_named_[tile.name] = static_cast<int>(storages_.size());
  storages_.push_back(std::move(storage));
}

}  // namespace dovetail::codegen
