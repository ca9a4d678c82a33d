// SPDX-License-Identifier: Apache-2.0
//
// Tensorized loops that are one instruction of a warp: mma.m16n8k16. Work-item 4*g + t gives
//
//   for A    rows g and g + 8, columns 2*t, 2*t + 1 and 2*t + 8, 2*t + 9      four pairs
//   for B    the same columns of k, of column g of the product                two pairs
//   for C    rows g and g + 8, columns 2*t and 2*t + 1                        four sums
//
// (PTX ISA, "Matrix Fragments for mma.m16n8k16"). The program's loops read A's rows as they are
// given here, but for all of k, and B's columns 2*t and 2*t + 1: so B's address is that of t = 0,
// and g takes its place.
//
// In local memory, four pairs that begin at 16 bytes are a row of a block of eight, and ldmatrix
// loads four blocks at once: work-item 8*i + r gives the address of row r of block i, and gets the
// pair of each block that a fragment has of it.
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include "core/base/fail.h"
#include "core/codegen/llvm/emit/device/spelled_calls.h"
#include "core/codegen/llvm/emit/kernel_emitter.h"

namespace dovetail::codegen {
namespace {

constexpr int64_t kHalves = 2, kHalfOfK = 8;
constexpr int64_t kRows = 2;       // g and g + 8
constexpr int64_t kPairBytes = 4;  // aligned to their size
constexpr uint64_t kFourPairsBytes = 16;

// Positions in IntrinsicUse::loops, reads and lanes.
constexpr size_t kLoopK = 0, kLoopR = 1, kLoopC = 2;
constexpr size_t kA = 0, kB = 1;
constexpr size_t kLaneT = 0, kLaneG = 1;

}  // namespace

const KernelEmitter::WarpLanes& KernelEmitter::warp_lanes() {
  if (warp_lanes_) return *warp_lanes_;
  llvm::IRBuilderBase::InsertPointGuard guard(builder_);
  builder_.SetInsertPoint(index_.entry()->getTerminator());
  const auto number = [&](llvm::Intrinsic::ID id) {
    return builder_.CreateZExt(builder_.CreateIntrinsic(id, {}, {}), index_.type());
  };
  llvm::Value* t = number(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x);
  llvm::Value* g =
      builder_.CreateAnd(number(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y), index_.number(7));
  llvm::Value* lower_g = builder_.CreateAnd(g, index_.number(1));
  llvm::Value* row = builder_.CreateAdd(builder_.CreateShl(lower_g, 2), t);
  llvm::Value* block = builder_.CreateLShr(g, 1);
  return warp_lanes_.emplace(WarpLanes{
      .twice_t = index_.add_value(builder_.CreateShl(t, 1), {0, 6}),
      .upper_g = index_.add_value(builder_.CreateLShr(g, 1), {0, 3}),
      .lower_g = index_.add_value(lower_g, {0, 1}),
      .row_after_g = index_.add_value(builder_.CreateSub(row, g), {-7, 7}),
      .upper_row = index_.add_value(builder_.CreateLShr(row, 1), {0, 3}),
      .lower_row = index_.add_value(builder_.CreateAnd(row, index_.number(1)), {0, 1}),
      .upper_block = index_.add_value(builder_.CreateLShr(block, 1), {0, 1}),
      .lower_block = index_.add_value(builder_.CreateAnd(block, index_.number(1)), {0, 1}),
      .warpgroup = index_.add_value(
          builder_.CreateLShr(number(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z), 2), {0, 15})});
}

// Two neighbours along k in one register.
Result<llvm::Value*> KernelEmitter::fragment_of(int number, PointIndex at) {
  const Storage& storage = storages_[number];
  if (alignment_of(storage, at).value() < kPairBytes)
    return fail("{} is read by pairs from an odd element on", storage.name);
  index_.add(at, warp_lanes().twice_t, 1);
  llvm::Value* pointer = displaced(storage, pointer_to(number, at), at.constant);
  return annotate(
      builder_.CreateAlignedLoad(builder_.getInt32Ty(), pointer, llvm::Align(kPairBytes)), storage);
}

// Pairs of two or four blocks of a tile in local memory; none where rows begin elsewhere.
std::vector<llvm::Value*> KernelEmitter::pairs_of_blocks(int number, const PointIndex& at,
                                                         unsigned blocks) {
  const Storage& storage = storages_[number];
  if (!storage.is_tile || storage.base->getType()->getPointerAddressSpace() != kSharedSpace ||
      alignment_of(storage, at).value() < kFourPairsBytes)
    return {};
  llvm::Value* pointer = displaced(storage, pointer_to(number, at), at.constant);
  llvm::Value* loaded = builder_.CreateIntrinsic(
      blocks == 2 ? llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x2_b16
                  : llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x4_b16,
      {pointer->getType()}, {pointer});
  std::vector<llvm::Value*> pairs;
  for (unsigned i = 0; i < blocks; ++i) pairs.push_back(builder_.CreateExtractValue(loaded, i));
  return pairs;
}

// Blocks of the upper and the lower rows, in the lower and in the upper half of k. All loops are at
// their first iteration.
Result<std::vector<llvm::Value*>> KernelEmitter::row_blocks(const IntrinsicUse& use) {
  const Load& load = *use.reads[kA];
  const std::string &k = use.loops[kLoopK]->variable, &r = use.loops[kLoopR]->variable,
                    &g = use.lanes[kLaneG]->variable;
  const Access* access = TRY(access_of(&load, load.buffer, load.indices, /*is_load=*/true));
  if (index_.is_divided(access->index, {k, r, g})) return std::vector<llvm::Value*>{};
  PointIndex at = TRY(index_.at_point(access->index));
  const WarpLanes& lanes = warp_lanes();
  index_.add(at, lanes.row_after_g, index_.coefficient(access->index, g));
  index_.add(at, lanes.lower_block, index_.coefficient(access->index, r));
  index_.add(at, lanes.upper_block, kHalfOfK * index_.coefficient(access->index, k));
  return pairs_of_blocks(access->storage, at, kHalves * kRows);
}

// The lower and the upper half of k.
Result<std::vector<llvm::Value*>> KernelEmitter::column_blocks(const IntrinsicUse& use) {
  const Load& load = *use.reads[kB];
  const std::string &k = use.loops[kLoopK]->variable, &c = use.loops[kLoopC]->variable,
                    &t = use.lanes[kLaneT]->variable;
  for (const std::string* loop : {&k, &c}) index_.bind_constant(*loop, 0);
  const Access* access = TRY(access_of(&load, load.buffer, load.indices, /*is_load=*/true));
  if (index_.is_divided(access->index, {k, c, t})) return std::vector<llvm::Value*>{};
  PointIndex at = TRY(index_.at_point(access->index));
  const WarpLanes& lanes = warp_lanes();
  index_.remove(at, t);
  index_.add(at, lanes.upper_row, index_.coefficient(access->index, t));
  index_.add(at, lanes.lower_row, index_.coefficient(access->index, c));
  index_.add(at, lanes.lower_block, kHalfOfK * index_.coefficient(access->index, k));
  return pairs_of_blocks(access->storage, at, kHalves);
}

// Rows g and g + 8 of the lower half of k, then of the upper one.
Result<std::vector<llvm::Value*>> KernelEmitter::row_fragments(const IntrinsicUse& use) {
  std::vector<llvm::Value*> fragments = TRY(row_blocks(use));
  if (!fragments.empty()) return fragments;
  const Load& load = *use.reads[kA];
  for (int64_t half = 0; half < kHalves; ++half) {
    for (int64_t row = 0; row < kRows; ++row) {
      index_.bind_constant(use.loops[kLoopK]->variable, kHalfOfK * half);
      index_.bind_constant(use.loops[kLoopR]->variable, row);
      const Access* access = TRY(access_of(&load, load.buffer, load.indices, /*is_load=*/true));
      const PointIndex at = TRY(index_.at_point(access->index));
      fragments.push_back(TRY(fragment_of(access->storage, at)));
    }
  }
  return fragments;
}

Result<std::vector<llvm::Value*>> KernelEmitter::column_fragments(const IntrinsicUse& use) {
  std::vector<llvm::Value*> fragments = TRY(column_blocks(use));
  if (!fragments.empty()) return fragments;
  const Load& load = *use.reads[kB];
  const std::string &t = use.lanes[kLaneT]->variable, &c = use.loops[kLoopC]->variable;
  index_.bind_constant(c, 0);
  for (int64_t half = 0; half < kHalves; ++half) {
    index_.bind_constant(use.loops[kLoopK]->variable, kHalfOfK * half);
    const Access* access = TRY(access_of(&load, load.buffer, load.indices, /*is_load=*/true));
    PointIndex at = TRY(index_.at_point(access->index));
    index_.remove(at, t);
    index_.add(at, warp_lanes().upper_g, index_.coefficient(access->index, t));
    index_.add(at, warp_lanes().lower_g, index_.coefficient(access->index, c));
    fragments.push_back(TRY(fragment_of(access->storage, at)));
  }
  return fragments;
}

Result<void> KernelEmitter::emit_fragments(const IntrinsicUse& use,
                                           const FragmentSpelling& spelling) {
  for (const Loop* loop : use.loops) index_.bind_constant(loop->variable, 0);
  std::vector<llvm::Value*> operands = TRY(row_fragments(use));
  for (llvm::Value* fragment : TRY(column_fragments(use))) operands.push_back(fragment);
  for (llvm::Value*& operand : operands)
    operand = builder_.CreateBitCast(operand, spelling.pair(builder_));
  const Store& store = *use.store;
  const Access* access = TRY(access_of(&store, store.target, store.indices, /*is_load=*/false));
  const Storage& sums = storages_[access->storage];
  const llvm::Align alignment(static_cast<uint64_t>(bytes_of(sums.type)));
  std::vector<llvm::Value*> places;
  for (int64_t row = 0; row < kRows; ++row) {
    for (int64_t column = 0; column < use.loops[kLoopC]->extent; ++column) {
      index_.bind_constant(use.loops[kLoopR]->variable, row);
      index_.bind_constant(use.loops[kLoopC]->variable, column);
      const PointIndex at = TRY(index_.at_point(access->index));
      places.push_back(displaced(sums, pointer_to(access->storage, at), at.constant));
      operands.push_back(
          annotate(builder_.CreateAlignedLoad(sums.element, places.back(), alignment), sums));
    }
  }
  llvm::Value* made = builder_.CreateIntrinsic(spelling.instruction, {}, operands);
  for (unsigned i = 0; i < places.size(); ++i)
    annotate(
        builder_.CreateAlignedStore(builder_.CreateExtractValue(made, i), places[i], alignment),
        sums);
  loaded_.erase(access->storage);
  for (const Loop* loop : use.loops) index_.unbind(loop->variable);
  return {};
}

}  // namespace dovetail::codegen
