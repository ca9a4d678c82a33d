// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "core/base/fail.h"
#include "core/codegen/llvm/emit/kernel_emitter.h"
#include "core/codegen/llvm/emit/vector_math.h"

namespace dovetail::codegen {
namespace {

// value + step · i for every value and every i < extent.
std::set<int64_t> all_sums(const std::set<int64_t>& values, int64_t step, int64_t extent) {
  std::set<int64_t> sums;
  for (const int64_t value : values)
    for (int64_t i = 0; i < extent; ++i) sums.insert(value + step * i);
  return sums;
}

int64_t floor_multiple(int64_t value, int64_t of) { return value - ((value % of) + of) % of; }

}  // namespace

Result<int> KernelEmitter::storage_at(const std::string& name,
                                      const std::vector<IndexExpr>& indices) const {
  const auto storage = storage_named_.find(name);
  if (storage == storage_named_.end()) return fail("{} is no buffer and no tile", name);
  const size_t axes = storages_[storage->second].extents.size();
  if (indices.size() == axes) return storage->second;
  return fail("{} has {} axes, found {} indices", name, axes, indices.size());
}

Result<const KernelEmitter::Access*> KernelEmitter::access_of(const void* key,
                                                              const std::string& name,
                                                              const std::vector<IndexExpr>& indices,
                                                              bool is_load) {
  const auto known = accesses_.find(key);
  if (known != accesses_.end()) return &known->second;
  Access access;
  access.storage = TRY(storage_at(name, indices));
  access.index = index_.linear(indices, storages_[access.storage].extents);
  access.lowest = access.highest = access.index.constant;
  for (const Loop* loop : loops_) {
    const bool is_written_out =
        loop->kind == LoopKind::unrolled || (on_device() && loop->kind == LoopKind::vectorized);
    if (!is_written_out) continue;
    const int64_t step = index_.coefficient(access.index, loop->variable) * (loop->extent - 1);
    (step < 0 ? access.lowest : access.highest) += step;
  }
  if (is_load && !on_device() && !storages_[access.storage].is_registers)
    decide_launder(access, indices);
  return &accesses_.emplace(key, std::move(access)).first->second;
}

// rule: between the unrolled points of a reduction, LLVM merges neighbouring broadcast loads into
// vectors and extracts their lanes again, keeps them all live, and spills the tile. So where one
// row value is used by several vectors, its pointer is made opaque again at each point. With a
// single vector per row, window taps share their row values, which halves the loads: that is kept
// as long as the tile and all these values fit the registers. Operands that depend on the lane are
// left alone: there the merged loads are the reuse.
void KernelEmitter::decide_launder(Access& access, const std::vector<IndexExpr>& indices) {
  if (store_ == nullptr || !accumulates(*store_) || lanes_ == 1) return;
  int64_t vectors_in_row = (lanes_ + vector_lanes(target_) - 1) / vector_lanes(target_);
  int64_t rows = 1;
  std::set<int64_t> values = {0};  // distinct elements that the unrolled points read
  for (const Loop* loop : loops_) {
    const bool in_load = any_mentions(indices, loop->variable);
    if (loop->kind == LoopKind::vectorized && in_load && loop->extent > 1) return;
    if (loop->kind != LoopKind::unrolled || loop->extent == 1) continue;
    if (!any_mentions(store_->indices, loop->variable))
      access.point.emplace_back(loop->variable, loop->extent);
    else
      (in_load ? rows : vectors_in_row) *= loop->extent;
    values = all_sums(values, index_.coefficient(access.index, loop->variable), loop->extent);
  }
  const int64_t live = rows * vectors_in_row + static_cast<int64_t>(values.size()) + 1;
  access.launder =
      !access.point.empty() && (vectors_in_row >= 2 || live > target_.vector_registers);
}

// An empty inline assembly that returns its operands: no instruction, but LLVM cannot tell that the
// pointer is the same. Each point's asm takes the previous one's pointer, so that they are never
// merged, and the previous point's last sum, so that no scheduler moves its loads ahead of that
// point's additions.
llvm::Value* KernelEmitter::laundered(llvm::Value* pointer, const Access& access) {
  int64_t point = 0;
  for (const auto& [variable, extent] : access.point)
    point = point * extent + index_.constant_value(variable);
  Laundered& last = laundered_[pointer];
  if (last.pointer == nullptr) last = {point, pointer};
  if (last.point == point) return last.pointer;
  std::vector<llvm::Value*> operands = {last.pointer};
  std::string constraints = "=r,0";
  if (last_sum_.value != nullptr) {
    operands.push_back(last_sum_.value);
    const auto lanes = static_cast<unsigned>(vector_lanes(target_));
    constraints = fmt::format("=r,={0},0,1", vector_register_constraint(module_, lanes));
  }
  std::vector<llvm::Type*> types;
  for (llvm::Value* operand : operands) types.push_back(operand->getType());
  llvm::Type* result =
      types.size() == 1 ? types[0] : llvm::StructType::get(module_.getContext(), types);
  llvm::FunctionType* type = llvm::FunctionType::get(result, types, false);
  llvm::InlineAsm* same = llvm::InlineAsm::get(type, "", constraints, /*hasSideEffects=*/false);
  llvm::CallInst* call = builder_.CreateCall(type, same, operands);
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  last = {point, call};
  if (operands.size() == 2) {
    last.pointer = builder_.CreateExtractValue(call, 0);
    builder_.CreateAlignedStore(builder_.CreateExtractValue(call, 1), last_sum_.pointer,
                                llvm::Align(4));
    last_sum_ = {};
  }
  return last.pointer;
}

// 0 where all lanes access one element.
Result<int64_t> KernelEmitter::lane_stride(const Access& access, const PointIndex& at,
                                           int64_t most) const {
  if (lanes_ == 1) return 0;
  if (at.lane_stride >= 0 && at.lane_stride <= most) return at.lane_stride;
  return fail("{} is accessed with lane stride {}; a CPU vector needs {}",
              storages_[access.storage].name, at.lane_stride, most == 1 ? "0 or 1" : "0, 1 or 2");
}

llvm::Align KernelEmitter::alignment_of(const Storage& storage, const PointIndex& at) const {
  const int64_t bytes = bytes_of(storage.type);
  int64_t common = 64;  // alignment of the base
  for (const CounterTerm& term : at.counters) common = std::gcd(common, term.second * bytes);
  common = std::gcd(common, at.constant * bytes);
  return llvm::Align(static_cast<uint64_t>(common));
}

// A lane mask keeps inactive lanes from being read.
llvm::Value* KernelEmitter::load_from(const Storage& storage, llvm::Value* pointer,
                                      const PointIndex& at, int64_t lane_stride,
                                      llvm::Value* mask) {
  if (lane_stride == 2) return computed(every_second(storage, pointer, at), storage.type);
  llvm::Type* type = storage.element;
  if (lane_stride != 0) type = llvm::FixedVectorType::get(type, static_cast<unsigned>(lanes_));
  const llvm::Align alignment = alignment_of(storage, at);
  pointer = displaced(storage, pointer, at.constant);
  llvm::Value* loaded = nullptr;
  if (mask != nullptr)
    loaded = masked_load(storage, type, pointer, alignment, mask);
  else
    loaded = annotate(builder_.CreateAlignedLoad(type, pointer, alignment), storage);
  return computed(loaded, storage.type);
}

// One load per vector register: where LLVM 19 splits a wider masked load itself and the mask of one
// part is known to be false, it loads that part unmasked.
llvm::Value* KernelEmitter::masked_load(const Storage& storage, llvm::Type* type,
                                        llvm::Value* pointer, llvm::Align alignment,
                                        llvm::Value* mask) {
  const int lanes = static_cast<int>(lanes_), own = static_cast<int>(vector_lanes(target_));
  const auto load = [&](llvm::Type* part, llvm::Value* from, llvm::Align at, llvm::Value* which) {
    return annotate(
        builder_.CreateMaskedLoad(part, from, at, which, llvm::Constant::getNullValue(part)),
        storage);
  };
  if (lanes <= own || lanes % own != 0) return load(type, pointer, alignment, mask);
  llvm::Type* part = llvm::FixedVectorType::get(storage.element, static_cast<unsigned>(own));
  const auto bytes = static_cast<uint64_t>(own * bytes_of(storage.type));
  llvm::Value* joined = llvm::PoisonValue::get(type);
  for (int first = 0; first < lanes; first += own) {
    std::vector<int> which(static_cast<size_t>(own));
    std::iota(which.begin(), which.end(), first);
    llvm::Value* loaded =
        load(part, displaced(storage, pointer, first), llvm::commonAlignment(alignment, bytes),
             builder_.CreateShuffleVector(mask, which));
    joined = builder_.CreateInsertVector(type, joined, loaded,
                                         builder_.getInt64(static_cast<uint64_t>(first)));
  }
  return joined;
}

// Two overlapping vectors that share one element, so that nothing beyond the last lane's is read.
llvm::Value* KernelEmitter::every_second(const Storage& storage, llvm::Value* pointer,
                                         const PointIndex& at) {
  llvm::Type* type = llvm::FixedVectorType::get(storage.element, static_cast<unsigned>(lanes_));
  const llvm::Align alignment(static_cast<uint64_t>(bytes_of(storage.type)));
  const auto part = [&](int64_t first) {
    return annotate(builder_.CreateAlignedLoad(
                        type, displaced(storage, pointer, at.constant + first), alignment),
                    storage);
  };
  const int joint = static_cast<int>(lanes_) - 1;
  std::vector<int> lanes;
  for (int lane = 0; lane <= joint; ++lane)
    lanes.push_back(2 * lane <= joint ? 2 * lane : 2 * lane + 1);
  return builder_.CreateShuffleVector(part(0), part(joint), lanes);
}

// Converts a stored element to the type of computation.
llvm::Value* KernelEmitter::computed(llvm::Value* stored, ElementType type) {
  llvm::Type* const own = stored->getType();
  switch (computed_type(type)) {
    case ComputedType::real:
      if (type == ElementType::bf16) return emit_from_bfloat(builder_, stored);
      return builder_.CreateFPCast(stored, own->getWithNewType(builder_.getFloatTy()));
    case ComputedType::integer:
      return builder_.CreateIntCast(stored, own->getWithNewType(builder_.getInt64Ty()),
                                    is_signed(type));
    case ComputedType::boolean: break;
  }
  return builder_.CreateICmpNE(stored, llvm::Constant::getNullValue(own));
}

// The inverse of computed(): converts a value of the storage's computed type to its stored type.
llvm::Value* KernelEmitter::stored_form(llvm::Value* value, const Storage& storage) {
  llvm::Type* const type = value->getType()->getWithNewType(storage.element);
  switch (computed_type(storage.type)) {
    case ComputedType::real:
      if (storage.type == ElementType::bf16) return emit_to_bfloat(builder_, value);
      return builder_.CreateFPCast(value, type);
    case ComputedType::integer: return builder_.CreateTrunc(value, type);
    case ComputedType::boolean: break;
  }
  return builder_.CreateZExt(value, type);
}

llvm::Value* KernelEmitter::displaced(const Storage& storage, llvm::Value* pointer,
                                      int64_t elements) {
  if (elements == 0) return pointer;
  return builder_.CreateGEP(storage.element, pointer,
                            builder_.getInt64(static_cast<uint64_t>(elements)));
}

// rule: where a guard fails, the load reads an address that is always valid. The unrolled loads
// under one guard share one select: of addresses at the start of the buffer, with the same
// distances to each other.
llvm::Value* KernelEmitter::guarded_pointer(const Access& access, llvm::Value* pointer,
                                            const PointIndex& at, Guard guard) {
  const Storage& storage = storages_[access.storage];
  if (guard->getType()->isVectorTy()) guard = builder_.CreateOrReduce(guard);
  constexpr int64_t kAligned = 32;  // elements: keeps what alignment_of() promises
  const int64_t lowest = floor_multiple(access.lowest, kAligned);
  const bool shared = access.lowest <= at.constant && at.constant <= access.highest &&
                      access.highest - lowest + span_of(at) <= storage.elements;
  if (!shared) return choose(guard, pointer, displaced(storage, storage.base, -at.constant));
  // Two accesses may share a pointer; the substitute of one may be before the buffer for the other.
  llvm::Value*& safe = guarded_[{pointer, guard, lowest}];
  if (safe == nullptr) safe = choose(guard, pointer, displaced(storage, storage.base, -lowest));
  return safe;
}

llvm::StoreInst* KernelEmitter::store_to(const Storage& storage, llvm::Value* pointer,
                                         const PointIndex& at, llvm::Value* value) {
  pointer = displaced(storage, pointer, at.constant);
  value = stored_form(value, storage);
  llvm::StoreInst* stored =
      annotate(builder_.CreateAlignedStore(value, pointer, alignment_of(storage, at)), storage);
  // Only a whole vector is a sum to wait for; any other store to registers invalidates the previous
  // one.
  const bool is_whole = value->getType()->isVectorTy() &&
                        value->getType()->getScalarType()->isFloatTy() &&
                        lanes_ == vector_lanes(target_);
  if (storage.is_registers) last_sum_ = is_whole ? TileStore{value, pointer} : TileStore{};
  return stored;
}

// Non-temporal stores need whole vectors at their natural alignment.
Result<void> KernelEmitter::make_streaming(llvm::StoreInst* stored, const Store& store) {
  llvm::Type* type = stored->getValueOperand()->getType();
  const auto vector_bytes = static_cast<uint64_t>(vector_lanes(target_)) *
                            module_.getDataLayout().getTypeStoreSize(type->getScalarType());
  const bool whole = type->isVectorTy() && lanes_ % vector_lanes(target_) == 0;
  if (!whole || stored->getAlign().value() < vector_bytes)
    return fail(
        "{} is stored to past the caches by {} lanes aligned to {} bytes; "
        "expected whole vectors of {} lanes at their alignment",
        store.target, lanes_, stored->getAlign().value(), vector_lanes(target_));
  llvm::LLVMContext& context = module_.getContext();
  stored->setMetadata(
      llvm::LLVMContext::MD_nontemporal,
      llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(builder_.getInt32(1))));
  streams_ = true;
  return {};
}

Result<llvm::Value*> KernelEmitter::emit_load(const Load& load, Guard guard) {
  const Access* access = TRY(access_of(&load, load.buffer, load.indices, /*is_load=*/true));
  wait_if_pending(access->storage);
  const Storage& storage = storages_[access->storage];
  const PointIndex at = TRY(index_.at_point(access->index));
  const int64_t stride = TRY(lane_stride(*access, at, 2));
  const bool vector = stride != 0;
  // Reading inside a tile is always valid. A guard would take the tile's address, and so keep the
  // tile out of registers.
  if (storage.is_tile && at.range.min >= 0 && at.range.max < storage.elements) guard = nullptr;
  llvm::Value* pointer = pointer_to(access->storage, at);
  if (access->launder) pointer = laundered(pointer, *access);
  llvm::Value* mask = nullptr;
  const bool is_masked = vector && guard != nullptr &&
                         (guard->getType()->isVectorTy() || storage.elements < span_of(at));
  if (is_masked && stride == 2)
    return fail("{} is read with lane stride 2 under a condition on the lanes; expected none",
                storage.name);
  if (is_masked)
    mask = guard->getType()->isVectorTy() ? guard : splat(guard);
  else if (guard != nullptr)
    pointer = guarded_pointer(*access, pointer, at, guard);
  const int lanes = vector ? lanes_ : 1;
  llvm::Value*& value =
      loaded_[access->storage][LoadKey(pointer, at.constant, stride, lanes, mask)];
  if (value == nullptr) value = load_from(storage, pointer, at, stride, mask);
  return value;
}

}  // namespace dovetail::codegen
