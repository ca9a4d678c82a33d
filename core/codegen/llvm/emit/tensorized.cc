// SPDX-License-Identifier: Apache-2.0
// Tensorized loops: the target's instruction where it has it, else the loops for single elements.
#include "core/base/check.h"
#include "core/codegen/llvm/emit/kernel_emitter.h"
#include "core/codegen/llvm/emit/x86_intrinsics.h"

namespace dovetail::codegen {

Result<void> KernelEmitter::emit_tensorized(const Loop& loop) {
  const auto array_named = [&](const std::string& name) -> std::optional<StoredArray> {
    const auto found = storage_named_.find(name);
    if (found == storage_named_.end()) return std::nullopt;
    const Storage& storage = storages_[found->second];
    return StoredArray{storage.extents, storage.type};
  };
  const std::span<const Loop* const> around(loops_.data(), loops_.size() - 1);
  const IntrinsicUse use = TRY(match_intrinsic(loop, around, array_named));
  if (const FragmentSpelling* warp = fragments_of(*use.intrinsic, target_))
    return emit_fragments(use, *warp);
  if (const GroupSpelling* group = group_product_of(*use.intrinsic, target_))
    return emit_group_product(use, *group);
  const Spelling spelling = spelling_of(*use.intrinsic, target_);
  return spelling == nullptr ? emit_scalar(loop) : emit_spelled(use, spelling);
}

// rule: lanes of an operand may be elements apart, which no vector of the loops' own can load, so
// that the loops are written out for single elements.
Result<void> KernelEmitter::emit_scalar(const Loop& loop) {
  for (int64_t value = 0; value < loop.extent; ++value) {
    index_.bind_constant(loop.variable, value);
    for (const Statement& statement : loop.body) {
      const auto* inner = std::get_if<Loop>(&statement.node);
      TRY(inner == nullptr ? emit_store(std::get<Store>(statement.node)) : emit_scalar(*inner));
    }
  }
  index_.unbind(loop.variable);
  return {};
}

Result<KernelEmitter::Operand> KernelEmitter::operand_of(const void* key, const std::string& name,
                                                         const std::vector<IndexExpr>& indices,
                                                         int64_t elements) {
  const Access* access = TRY(access_of(key, name, indices, /*is_load=*/false));
  const Storage& storage = storages_[access->storage];
  const PointIndex at = TRY(index_.at_point(access->index));
  return Operand{
      .storage = access->storage,
      .pointer = displaced(storage, pointer_to(access->storage, at), at.constant),
      .alignment = alignment_of(storage, at),
      .type = llvm::FixedVectorType::get(storage.element, static_cast<unsigned>(elements))};
}

Result<void> KernelEmitter::emit_spelled(const IntrinsicUse& use, Spelling spelling) {
  const Computation& c = use.intrinsic->computation;
  for (const Loop* loop : use.loops) index_.bind_constant(loop->variable, 0);
  const auto elements = [&](const dovetail::Access& access) {
    return num_elements(shape_of(tensor_named(c, access.tensor)));
  };
  const auto load = [&](const Operand& operand) -> llvm::Value* {
    return annotate(builder_.CreateAlignedLoad(operand.type, operand.pointer, operand.alignment),
                    storages_[operand.storage]);
  };
  const Store& store = *use.store;
  const Operand output = TRY(operand_of(&store, store.target, store.indices, elements(c.output)));
  std::vector<llvm::Value*> reads;
  for (size_t r = 0; r < use.reads.size(); ++r)
    reads.push_back(load(TRY(operand_of(use.reads[r], use.reads[r]->buffer, use.reads[r]->indices,
                                        elements(c.reads[r])))));
  llvm::Value* made = spelling(builder_, load(output), reads);
  annotate(builder_.CreateAlignedStore(made, output.pointer, output.alignment),
           storages_[output.storage]);
  loaded_.erase(output.storage);
  last_sum_ = {};
  for (const Loop* loop : use.loops) index_.unbind(loop->variable);
  return {};
}

}  // namespace dovetail::codegen
