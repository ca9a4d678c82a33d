// SPDX-License-Identifier: Apache-2.0
//
// Stores: what replaces an element, and what is reduced into it.
#include <numeric>

#include "core/base/fail.h"
#include "core/codegen/llvm/emit/kernel_emitter.h"

namespace dovetail::codegen {

Result<void> KernelEmitter::emit_store(const Store& store) {
  const bool sums = store.reducer == Reducer::sum, accumulates = dovetail::accumulates(store);
  if (sums && TRY(is_zero(store.value))) return {};
  store_ = &store;
  if (store.async && has_async_copies_ && TRY(emit_async_copy(store))) return {};
  const Access* access = TRY(access_of(&store, store.target, store.indices, /*is_load=*/false));
  wait_if_pending(access->storage);
  if (!accumulates) return put(store, *access, TRY(emit_value(store.value, nullptr)));
  const Storage& storage = storages_[access->storage];
  const PointIndex at = TRY(index_.at_point(access->index));
  const int64_t stride = TRY(lane_stride(*access, at, 1));
  const bool vector = stride != 0;
  const ComputedType type = reduced_type(computed_type(storage.type));
  llvm::Value* pointer = pointer_to(access->storage, at);
  llvm::Value* value = nullptr;
  if (vector || lanes_ == 1) {
    llvm::Value* old = load_from(storage, pointer, at, stride, nullptr);
    value = TRY(emit_joined(store.reducer, converted(old, type), store.value));
    value = converted(value, computed_type(storage.type));
    if (vector && !value->getType()->isVectorTy()) value = splat(value);
  } else {  // all lanes reduce into one element
    value = converted(TRY(emit_value(store.value, nullptr)), type);
    llvm::Value* old = load_from(storage, pointer, at, 0, nullptr);
    value = over_lanes(store.reducer, converted(old, type),
                       value->getType()->isVectorTy() ? value : splat(value));
    value = converted(value, computed_type(storage.type));
  }
  return finish_store(store_to(storage, pointer, at, value), store, *access);
}

Result<void> KernelEmitter::put(const Store& store, const Access& access, llvm::Value* value) {
  const Storage& storage = storages_[access.storage];
  const PointIndex at = TRY(index_.at_point(access.index));
  const bool vector = TRY(lane_stride(access, at, 1)) != 0;
  value = converted(value, computed_type(storage.type));
  const bool value_is_vector = value->getType()->isVectorTy();
  if (vector && !value_is_vector) value = splat(value);
  if (!vector && lanes_ > 1 && value_is_vector)  // all lanes store to one element
    value = builder_.CreateExtractElement(value, static_cast<uint64_t>(lanes_ - 1));
  return finish_store(store_to(storage, pointer_to(access.storage, at), at, value), store, access);
}

Result<void> KernelEmitter::finish_store(llvm::StoreInst* stored, const Store& store,
                                         const Access& access) {
  if (store.streaming) {
    if (storages_[access.storage].is_tile || accumulates(store))
      return fail("{} is stored to past the caches, expected a plain store to a buffer",
                  store.target);
    TRY(make_streaming(stored, store));
  }
  loaded_.erase(access.storage);
  return {};
}

// rule: tree reduction, halving the lanes: a sequential one has a latency per lane.
llvm::Value* KernelEmitter::over_lanes(Reducer reducer, llvm::Value* old, llvm::Value* lanes) {
  int width = lanes_;
  for (; width % 2 == 0; width /= 2) {
    std::vector<int> low(static_cast<size_t>(width / 2)), high = low;
    std::iota(low.begin(), low.end(), 0);
    std::iota(high.begin(), high.end(), width / 2);
    lanes = joined(reducer, builder_.CreateShuffleVector(lanes, low),
                   builder_.CreateShuffleVector(lanes, high));
  }
  for (int lane = 0; lane < width; ++lane)
    old = joined(reducer, old, builder_.CreateExtractElement(lanes, static_cast<uint64_t>(lane)));
  return old;
}

}  // namespace dovetail::codegen
