// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous stores of a local tile, as the copies that NVIDIA's devices make while work-items go
// on (cp.async): 4, 8 or 16 bytes each, which lie together on both sides; zeros where a condition
// fails. What is more than such a copy goes through registers at once, which is as right.
//
//   W.cache[…] = (0 <= h < 56) ? W[…] : 0 async
// ->
//   cp.async.cg.shared.global [W.cache], [W], 16, bytes;
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include "core/codegen/llvm/emit/device/copy_spelling.h"
#include "core/codegen/llvm/emit/kernel_emitter.h"
#include "core/ir/program/walk.h"

namespace dovetail::codegen {
namespace {

bool is_zero_constant(const Value& value) {
  const auto* constant = value.as<Constant>();
  return constant != nullptr && constant->value == 0;
}

}  // namespace

bool KernelEmitter::has_async_copies() const {
  return copies_asynchronously(target_) && any_statement(kernel_.body, [&](const Statement& s) {
           const auto* store = std::get_if<Store>(&s.node);
           return store != nullptr && store->async && !is_copied_by_the_group(*store);
         });
}

Result<bool> KernelEmitter::emit_async_copy(const Store& store) {
  const auto* select = store.value.as<Select>();
  const auto* load = (select == nullptr ? store.value : select->then).as<Load>();
  if (load == nullptr || (select != nullptr && !is_zero_constant(select->otherwise))) return false;
  const Access* from = TRY(access_of(load, load->buffer, load->indices, /*is_load=*/true));
  const Access* to = TRY(access_of(&store, store.target, store.indices, /*is_load=*/false));
  const Storage &source = storages_[from->storage], &tile = storages_[to->storage];
  if (source.is_tile || source.type != tile.type) return false;
  const PointIndex from_at = TRY(index_.at_point(from->index)),
                   to_at = TRY(index_.at_point(to->index));
  const int64_t bytes = lanes_ * bytes_of(tile.type);
  const auto is_whole = [&](const Storage& storage, const PointIndex& at) {
    return (lanes_ == 1 || at.lane_stride == 1) &&
           static_cast<int64_t>(alignment_of(storage, at).value()) >= bytes;
  };
  if (!is_whole(source, from_at) || !is_whole(tile, to_at)) return false;
  const Condition condition = select == nullptr ? Condition{} : TRY(condition_of(*select));
  const bool is_conditional = condition.holds != nullptr;
  if (condition.never || !is_copied_at_once(bytes) ||
      (is_conditional && condition.holds->getType()->isVectorTy()))
    return false;
  std::vector<llvm::Value*> operands = {
      displaced(tile, pointer_to(to->storage, to_at), to_at.constant),
      displaced(source, pointer_to(from->storage, from_at), from_at.constant)};
  if (is_conditional)
    operands.push_back(builder_.CreateSelect(
        condition.holds, builder_.getInt32(static_cast<uint32_t>(bytes)), builder_.getInt32(0)));
  builder_.CreateCall(later_copy(module_, bytes, is_conditional), operands);
  loaded_.erase(to->storage);
  return true;
}

// The copies since the last barrier become a batch; all batches but the last ones have arrived.
void KernelEmitter::wait_for_copies(int64_t leaving) {
  builder_.CreateIntrinsic(llvm::Intrinsic::nvvm_cp_async_commit_group, {}, {});
  builder_.CreateIntrinsic(llvm::Intrinsic::nvvm_cp_async_wait_group, {},
                           {builder_.getInt32(static_cast<uint32_t>(leaving))});
}

}  // namespace dovetail::codegen
