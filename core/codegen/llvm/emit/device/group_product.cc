// SPDX-License-Identifier: Apache-2.0
//
// Tensorized loops that are one instruction of four warps, wgmma: 64 rows by N columns by 16, with
// both operands in the group's memory, which one work-item describes to the instruction by
//
//   an address, and the bytes from a block of 8 by 8 elements to the next along k and along rows
//
// It is asynchronous. rule: instructions follow each other without waiting for their sums, until a
// barrier, the end of a loop's body, or another statement that needs the sums; so the stores of the
// next round's operands run beside them. Before a barrier, stores to the group's memory are ordered
// before what the instructions read.
//
// `barrier products 1` awaits all but those since the last barrier; a loop with such a barrier also
// ends, and begins, while some run. What follows an instruction other than the next one closes a
// group at once: ptxas closes one by an instruction of its own where something is in between, and
// then waits for one more than were to be left.
//
// The instruction is a call here, of a function that no module defines, so that a test can run it;
// spell_group_products (group_spelling.h) puts the instruction in its place.
#include <fmt/format.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "core/base/fail.h"
#include "core/codegen/llvm/emit/device/group_spelling.h"
#include "core/codegen/llvm/emit/kernel_emitter.h"
#include "core/ir/program/walk.h"

namespace dovetail::codegen {
namespace {

// Positions in IntrinsicUse::loops, reads and lanes.
constexpr size_t kStepH = 0, kStepR = 2, kStepJ = 3, kStepC = 4;
constexpr size_t kRowOperand = 0;
constexpr size_t kThreadT = 0, kThreadG = 1, kThreadW = 2;
constexpr int64_t kWarps = 4;
constexpr uint64_t kBlockRowBytes = 16;

void emit_ordered(llvm::IRBuilder<>& builder, const std::string& text) {
  llvm::FunctionType* type = llvm::FunctionType::get(builder.getVoidTy(), false);
  builder.CreateCall(llvm::InlineAsm::get(type, text, "~{memory}", /*hasSideEffects=*/true));
}

}  // namespace

bool KernelEmitter::has_group_products() const {
  return any_statement(kernel_.body, [&](const Statement& statement) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    const Intrinsic* intrinsic = loop == nullptr ? nullptr : find_intrinsic(loop->intrinsic);
    return intrinsic != nullptr && group_product_of(*intrinsic, target_) != nullptr;
  });
}

void KernelEmitter::order_stores_before_products() {
  emit_ordered(builder_, "fence.proxy.async.shared::cta;");
}

// The same for all work-items of the four warps: at their first row, and at their first column.
Result<KernelEmitter::BlockOperand> KernelEmitter::block_operand(const IntrinsicUse& use,
                                                                 size_t operand) {
  const Load& load = *use.reads[operand];
  const Access* access = TRY(access_of(&load, load.buffer, load.indices, /*is_load=*/true));
  const Storage& storage = storages_[access->storage];
  const bool is_local =
      storage.is_tile && storage.base->getType()->getPointerAddressSpace() == kSharedSpace;
  if (!is_local)
    return fail("{} lies outside of the group's memory, where {} reads", storage.name,
                use.intrinsic->name);
  const std::string& w = use.lanes[kThreadW]->variable;
  PointIndex at = TRY(index_.at_point(access->index));
  index_.remove(at, use.lanes[kThreadT]->variable);
  index_.remove(at, use.lanes[kThreadG]->variable);
  index_.remove(at, w);
  index_.add(at, warp_lanes().warpgroup, kWarps * index_.coefficient(access->index, w));
  if (alignment_of(storage, at).value() < kBlockRowBytes)
    return fail("{} is read by {} from no multiple of {} bytes on", storage.name,
                use.intrinsic->name, kBlockRowBytes);
  const auto step_bytes = [&](size_t loop) {
    return index_.coefficient(access->index, use.loops[loop]->variable) * bytes_of(storage.type);
  };
  return BlockOperand{.pointer = displaced(storage, pointer_to(access->storage, at), at.constant),
                      .along_k_bytes = step_bytes(kStepH),
                      .along_rows_bytes = step_bytes(operand == kRowOperand ? kStepR : kStepJ)};
}

Result<void> KernelEmitter::emit_group_product(const IntrinsicUse& use,
                                               const GroupSpelling& spelling) {
  for (const Loop* loop : use.loops) index_.bind_constant(loop->variable, 0);
  std::vector<llvm::Value*> operands;
  for (size_t operand = 0; operand < use.reads.size(); ++operand) {
    const BlockOperand blocks = TRY(block_operand(use, operand));
    operands.push_back(blocks.pointer);
    for (const int64_t bytes : {blocks.along_k_bytes, blocks.along_rows_bytes}) {
      if (bytes <= 0 || bytes >= kMostBlockStepBytes)
        return fail("blocks of {} are {} bytes apart, expected 1 to {}", use.reads[operand]->buffer,
                    bytes, kMostBlockStepBytes - 1);
      operands.push_back(builder_.getInt32(static_cast<uint32_t>(bytes)));
    }
  }
  const Store& store = *use.store;
  const Access* access = TRY(access_of(&store, store.target, store.indices, /*is_load=*/false));
  const Storage& sums = storages_[access->storage];
  if (pending_ && pending_->storage != access->storage) wait_for_products();
  if (!pending_ || !pending_->is_open) emit_ordered(builder_, "wgmma.fence.sync.aligned;");
  pending_ = PendingProducts{.storage = access->storage, .is_open = true};
  const llvm::Align alignment(static_cast<uint64_t>(bytes_of(sums.type)));
  std::vector<llvm::Value*> places;
  for (int64_t j = 0; j < use.loops[kStepJ]->extent; ++j) {
    for (int64_t rc = 0; rc < 4; ++rc) {
      index_.bind_constant(use.loops[kStepJ]->variable, j);
      index_.bind_constant(use.loops[kStepR]->variable, rc / 2);
      index_.bind_constant(use.loops[kStepC]->variable, rc % 2);
      const PointIndex at = TRY(index_.at_point(access->index));
      places.push_back(displaced(sums, pointer_to(access->storage, at), at.constant));
      operands.push_back(builder_.CreateAlignedLoad(sums.element, places.back(), alignment));
    }
  }
  llvm::Value* made = builder_.CreateCall(
      group_product(module_, spelling.type, spelling.columns, kSharedSpace), operands);
  for (unsigned i = 0; i < places.size(); ++i)
    builder_.CreateAlignedStore(builder_.CreateExtractValue(made, i), places[i], alignment);
  loaded_.erase(access->storage);
  for (const Loop* loop : use.loops) index_.unbind(loop->variable);
  return {};
}

void KernelEmitter::close_products() {
  if (!pending_ || !pending_->is_open) return;
  emit_ordered(builder_, "wgmma.commit_group.sync.aligned;");
  pending_->is_open = false;
  pending_->is_in_batch = true;
}

// All sums of the tile pass through the instruction that waits, so that nothing reads them before.
void KernelEmitter::wait_for_products() {
  if (!pending_) return;
  close_products();
  const Storage& sums = storages_[pending_->storage];
  const llvm::Align alignment(static_cast<uint64_t>(bytes_of(sums.type)));
  std::vector<llvm::Value*> places, values;
  for (int64_t i = 0; i < sums.elements; ++i) {
    places.push_back(displaced(sums, sums.base, i));
    values.push_back(builder_.CreateAlignedLoad(sums.element, places.back(), alignment));
  }
  const std::vector<llvm::Value*> after = pass_through_wait(builder_, values);
  for (size_t i = 0; i < places.size(); ++i)
    builder_.CreateAlignedStore(after[i], places[i], alignment);
  pending_.reset();
}

// A batch, since the last barrier, has a group at least.
void KernelEmitter::wait_for_products(int64_t leaving) {
  if (leaving == 0) return wait_for_products();
  if (!pending_) return;
  close_products();
  if (!pending_->is_in_batch) emit_ordered(builder_, "wgmma.commit_group.sync.aligned;");
  emit_ordered(builder_, fmt::format("wgmma.wait_group.sync.aligned {};", leaving));
  pending_->is_in_batch = false;
}

// The sums of the products that may run where a round of this loop begins, those after its last
// barrier; none where it awaits all.
std::optional<int> KernelEmitter::running_into(const Loop& loop) const {
  if (!has_group_products_ || loop.kind != LoopKind::serial || loop.at) return std::nullopt;
  auto last = std::find_if(loop.body.rbegin(), loop.body.rend(), [](const Statement& statement) {
    return std::holds_alternative<Barrier>(statement.node);
  });
  if (last == loop.body.rend() || std::get<Barrier>(last->node).products == 0) return std::nullopt;
  std::set<int> sums;
  const auto add_sums = [&](const Loop& inner) {
    if (!is_asynchronous(inner.intrinsic)) return;
    for_each_store(inner.body, [&](const Store& store) {
      sums.insert(storage_named_.find(store.target)->second);
    });
  };
  for (auto after = last.base(); after != loop.body.end(); ++after) {
    const auto* outer = std::get_if<Loop>(&after->node);
    if (outer == nullptr) continue;
    add_sums(*outer);
    for_each_statement(outer->body, [&](const Statement& statement) {
      if (const auto* inner = std::get_if<Loop>(&statement.node)) add_sums(*inner);
    });
  }
  return sums.size() == 1 ? std::optional(*sums.begin()) : std::nullopt;
}

void KernelEmitter::begin_rounds(const std::optional<int>& running) {
  if (!running || (pending_ && pending_->storage != *running)) wait_for_products();
  close_products();
  if (running) pending_ = PendingProducts{.storage = *running, .is_in_batch = true};
}

void KernelEmitter::wait_if_pending(int storage) {
  if (pending_ && pending_->storage == storage) wait_for_products();
}

}  // namespace dovetail::codegen
