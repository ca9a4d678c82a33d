// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include "core/base/check.h"
#include "core/codegen/llvm/emit/kernel_emitter.h"
#include "core/codegen/llvm/emit/vector_math.h"

namespace dovetail::cpu {
namespace {

// value + step · i for every value and i < extent.
std::set<int64_t> all_sums(const std::set<int64_t>& values, int64_t step, int64_t extent) {
  std::set<int64_t> sums;
  for (const int64_t value : values) {
    for (int64_t i = 0; i < extent; ++i) sums.insert(value + step * i);
  }
  return sums;
}

int64_t floor_multiple(int64_t value, int64_t of) { return value - ((value % of) + of) % of; }

bool any_mentions(const std::vector<IndexExpr>& indices, std::string_view variable) {
  return std::any_of(indices.begin(), indices.end(),
                     [&](const IndexExpr& index) { return index.mentions(variable); });
}

}  // namespace

Result<const KernelEmitter::Access*> KernelEmitter::access_of(const void* key,
                                                              const std::string& name,
                                                              const std::vector<IndexExpr>& indices,
                                                              bool is_load) {
  const auto known = accesses_.find(key);
  if (known != accesses_.end()) return &known->second;
  const auto storage = storage_named_.find(name);
  if (storage == storage_named_.end()) {
    return fail(fmt::format("{} is no buffer and no tile", name));
  }
  const std::vector<int64_t>& extents = storages_[storage->second].extents;
  if (indices.size() != extents.size()) {
    return fail(
        fmt::format("{} has {} axes, found {} indices", name, extents.size(), indices.size()));
  }
  Access access;
  access.storage = storage->second;
  access.index = index_.linear(indices, extents);
  access.lowest = access.highest = access.index.constant;
  for (const Loop* loop : loops_) {
    if (loop->kind != LoopKind::unrolled) continue;
    const int64_t step = index_.coefficient(access.index, loop->variable) * (loop->extent - 1);
    (step < 0 ? access.lowest : access.highest) += step;
  }
  if (is_load && !storages_[access.storage].is_registers) decide_launder(access, indices);
  return &accesses_.emplace(key, std::move(access)).first->second;
}

// rule: between the unrolled points of a reduction, LLVM merges neighbouring broadcast loads into
// vectors and takes them apart again, keeps them all alive, and spills the tile. Where one row
// value meets several vectors, its pointer is therefore made opaque anew at each point. With a
// single vector a row, window taps share their row values, which halves the loads: that is kept as
// long as the tile and all these values fit the registers. Operands with a lane of their own are
// left alone: there the merged loads are the reuse.
void KernelEmitter::decide_launder(Access& access, const std::vector<IndexExpr>& indices) {
  if (store_ == nullptr || !store_->accumulate || lanes_ == 1) return;
  int64_t vectors_in_row = (lanes_ + target_.vector_lanes - 1) / target_.vector_lanes;
  int64_t rows = 1;
  std::set<int64_t> values = {0};  // distinct elements that the unrolled points read
  for (const Loop* loop : loops_) {
    const bool in_load = any_mentions(indices, loop->variable);
    if (loop->kind == LoopKind::vectorized && in_load && loop->extent > 1) return;
    if (loop->kind != LoopKind::unrolled || loop->extent == 1) continue;
    if (!any_mentions(store_->indices, loop->variable)) {
      access.point.emplace_back(loop->variable, loop->extent);
    } else {
      (in_load ? rows : vectors_in_row) *= loop->extent;
    }
    values = all_sums(values, index_.coefficient(access.index, loop->variable), loop->extent);
  }
  const int64_t live = rows * vectors_in_row + static_cast<int64_t>(values.size()) + 1;
  access.launder =
      !access.point.empty() && (vectors_in_row >= 2 || live > target_.vector_registers);
}

// An empty inline assembly that returns its operands: no instruction, but LLVM cannot tell that the
// pointer is the same. Each point's takes the one before, so that they are never merged, and the
// last sum of the point before, so that no scheduler moves its loads ahead of that point's
// additions.
llvm::Value* KernelEmitter::laundered(llvm::Value* pointer, const Access& access) {
  int64_t point = 0;
  for (const auto& [variable, extent] : access.point) {
    point = point * extent + index_.constant_value(variable);
  }
  Laundered& last = laundered_[pointer];
  if (last.pointer == nullptr) last = {point, pointer};
  if (last.point == point) return last.pointer;
  std::vector<llvm::Value*> operands = {last.pointer};
  std::string constraints = "=r,0";
  if (last_sum_.value != nullptr) {
    operands.push_back(last_sum_.value);
    constraints = fmt::format("=r,={0},0,1", vector_register_constraint());
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

const char* KernelEmitter::vector_register_constraint() const {
  if (llvm::Triple(module_.getTargetTriple()).isAArch64()) return "w";
  return target_.vector_lanes == 16 ? "v" : "x";
}

Result<bool> KernelEmitter::is_vector(const Access& access, const PointIndex& at) const {
  if (lanes_ == 1 || at.lane_stride == 0) return false;
  if (at.lane_stride == 1) return true;
  return fail(fmt::format("{} is accessed with lane stride {}; a CPU vector needs 0 or 1",
                          storages_[access.storage].name, at.lane_stride));
}

llvm::Align KernelEmitter::alignment_of(const Storage& storage, const PointIndex& at) const {
  const int64_t bytes = storage.element->isHalfTy() ? 2 : 4;
  int64_t common = 64;  // of the base
  for (const CounterTerm& term : at.counters) common = std::gcd(common, term.second * bytes);
  common = std::gcd(common, at.constant * bytes);
  return llvm::Align(static_cast<uint64_t>(common));
}

template <typename Instruction>
Instruction* KernelEmitter::annotate(Instruction* instruction, const Storage& storage) const {
  if (storage.alias_scope != nullptr) {
    instruction->setMetadata(llvm::LLVMContext::MD_alias_scope, storage.alias_scope);
    instruction->setMetadata(llvm::LLVMContext::MD_noalias, storage.no_alias);
  }
  return instruction;
}

// A mask by lane keeps the other lanes from being read.
llvm::Value* KernelEmitter::load_from(const Storage& storage, llvm::Value* pointer,
                                      const PointIndex& at, bool vector, llvm::Value* mask) {
  llvm::Type* type = storage.element;
  if (vector) type = llvm::FixedVectorType::get(type, static_cast<unsigned>(lanes_));
  const llvm::Align alignment = alignment_of(storage, at);
  pointer = displaced(storage, pointer, at.constant);
  llvm::Value* loaded = nullptr;
  if (mask != nullptr) {
    loaded = annotate(builder_.CreateMaskedLoad(type, pointer, alignment, mask,
                                                llvm::Constant::getNullValue(type)),
                      storage);
  } else {
    loaded = annotate(builder_.CreateAlignedLoad(type, pointer, alignment), storage);
  }
  if (!storage.element->isHalfTy()) return loaded;
  return builder_.CreateFPExt(loaded, type->getWithNewType(builder_.getFloatTy()));
}

llvm::Value* KernelEmitter::displaced(const Storage& storage, llvm::Value* pointer,
                                      int64_t elements) {
  if (elements == 0) return pointer;
  return builder_.CreateGEP(storage.element, pointer,
                            builder_.getInt64(static_cast<uint64_t>(elements)));
}

// rule: where a guard fails, the load reads a place that is always there. The unrolled loads under
// one guard share that choice: near the buffer's start, as far from each other as where they
// belong.
llvm::Value* KernelEmitter::guarded_pointer(const Access& access, llvm::Value* pointer,
                                            const PointIndex& at, Guard guard) {
  const Storage& storage = storages_[access.storage];
  if (guard->getType()->isVectorTy()) guard = builder_.CreateOrReduce(guard);
  constexpr int64_t kAligned = 32;  // elements: what alignment_of promises must hold there too
  const int64_t lowest = floor_multiple(access.lowest, kAligned);
  const bool shared = access.lowest <= at.constant && at.constant <= access.highest &&
                      access.highest - lowest + lanes_ <= storage.elements;
  if (!shared) {
    return choose(guard, pointer, displaced(storage, storage.base, -at.constant));
  }
  llvm::Value*& safe = guarded_[{pointer, guard}];
  if (safe == nullptr) safe = choose(guard, pointer, displaced(storage, storage.base, -lowest));
  return safe;
}

llvm::StoreInst* KernelEmitter::store_to(const Storage& storage, llvm::Value* pointer,
                                         const PointIndex& at, llvm::Value* value) {
  pointer = displaced(storage, pointer, at.constant);
  if (storage.element->isHalfTy())
    value = builder_.CreateFPTrunc(value, value->getType()->getWithNewType(storage.element));
  llvm::StoreInst* stored =
      annotate(builder_.CreateAlignedStore(value, pointer, alignment_of(storage, at)), storage);
  if (storage.is_registers && value->getType()->isVectorTy() && lanes_ == target_.vector_lanes) {
    last_sum_ = {value, pointer};
  }
  return stored;
}

// Past the caches only whole vectors at their alignment go.
Result<void> KernelEmitter::make_streaming(llvm::StoreInst* stored, const Store& store) {
  llvm::Type* type = stored->getValueOperand()->getType();
  const auto vector_bytes = static_cast<uint64_t>(target_.vector_lanes) *
                            module_.getDataLayout().getTypeStoreSize(type->getScalarType());
  const bool whole = type->isVectorTy() && lanes_ % target_.vector_lanes == 0;
  if (!whole || stored->getAlign().value() < vector_bytes)
    return fail(
        fmt::format("{} is stored to past the caches by {} lanes aligned to {} bytes; "
                    "expected whole vectors of {} lanes at their alignment",
                    store.target, lanes_, stored->getAlign().value(), target_.vector_lanes));
  llvm::LLVMContext& context = module_.getContext();
  stored->setMetadata(
      llvm::LLVMContext::MD_nontemporal,
      llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(builder_.getInt32(1))));
  streams_ = true;
  return {};
}

Result<llvm::Value*> KernelEmitter::emit_value(const Value& value, Guard guard) {
  if (const auto* constant = std::get_if<Constant>(&value.node())) {
    return llvm::ConstantFP::get(builder_.getFloatTy(), constant->value);
  }
  if (const auto* load = std::get_if<Load>(&value.node())) return emit_load(*load, guard);
  if (const auto* binary = std::get_if<std::shared_ptr<const Binary>>(&value.node()))
    return emit_binary(**binary, guard);
  if (const auto* unary = std::get_if<std::shared_ptr<const Unary>>(&value.node()))
    return emit_unary(**unary, guard);
  return emit_select(*std::get<std::shared_ptr<const Select>>(value.node()), guard);
}

Result<llvm::Value*> KernelEmitter::emit_load(const Load& load, Guard guard) {
  const Access* access = TRY(access_of(&load, load.buffer, load.indices, /*is_load=*/true));
  const Storage& storage = storages_[access->storage];
  const PointIndex at = TRY(index_.at_point(access->index));
  const bool vector = TRY(is_vector(*access, at));
  // A part of a tile that is there in any case. A guard would take the tile's address, and with it
  // the tile out of registers.
  if (storage.is_tile && at.range.min >= 0 && at.range.max < storage.elements) guard = nullptr;
  llvm::Value* base = storage.is_tile ? storage.base : buffer_base(access->storage);
  llvm::Value* pointer = index_.pointer(access->storage, base, storage.element, at.counters);
  if (access->launder) pointer = laundered(pointer, *access);
  llvm::Value* mask = nullptr;
  if (guard != nullptr && vector && (guard->getType()->isVectorTy() || storage.elements < lanes_)) {
    mask = guard->getType()->isVectorTy() ? guard : splat(guard);
  } else if (guard != nullptr) {
    pointer = guarded_pointer(*access, pointer, at, guard);
  }
  llvm::Value*& value = loaded_[access->storage][LoadKey(pointer, at.constant, vector, mask)];
  if (value == nullptr) value = load_from(storage, pointer, at, vector, mask);
  return value;
}

llvm::Value* KernelEmitter::splat(llvm::Value* value) {
  return builder_.CreateVectorSplat(static_cast<unsigned>(lanes_), value);
}

void KernelEmitter::unify(llvm::Value*& a, llvm::Value*& b) {
  if (a->getType() == b->getType()) return;
  if (!a->getType()->isVectorTy()) a = splat(a);
  if (!b->getType()->isVectorTy()) b = splat(b);
}

// The operand beyond the other; NaN when either is.
llvm::Value* KernelEmitter::emit_extremum(bool is_max, llvm::Value* a, llvm::Value* b) {
  if (llvm::isa<llvm::Constant>(a)) std::swap(a, b);
  const auto beyond = is_max ? llvm::CmpInst::FCMP_OLT : llvm::CmpInst::FCMP_OGT;
  // One instruction, which keeps a when it is NaN.
  llvm::Value* extremum = builder_.CreateSelect(builder_.CreateFCmp(beyond, a, b), b, a);
  if (llvm::isa<llvm::Constant>(b)) return extremum;
  return builder_.CreateSelect(builder_.CreateFCmpUNO(b, b), b, extremum);
}

Result<llvm::Value*> KernelEmitter::emit_binary(const Binary& binary, Guard guard) {
  llvm::Value* left = TRY(emit_value(binary.left, guard));
  llvm::Value* right = TRY(emit_value(binary.right, guard));
  unify(left, right);
  switch (binary.op) {
    case BinaryOp::add:
      return builder_.CreateFAdd(left, right);
    case BinaryOp::sub:
      return builder_.CreateFSub(left, right);
    case BinaryOp::mul:
      return builder_.CreateFMul(left, right);
    case BinaryOp::div:
      return builder_.CreateFDiv(left, right);
    case BinaryOp::min:
      return emit_extremum(false, left, right);
    case BinaryOp::max:
      return emit_extremum(true, left, right);
  }
  CHECK(false, "unknown binary operation");
  return left;
}

Result<llvm::Value*> KernelEmitter::emit_unary(const Unary& unary, Guard guard) {
  llvm::Value* operand = TRY(emit_value(unary.operand, guard));
  switch (unary.op) {
    case UnaryOp::exp:
      return emit_exp(builder_, operand);
    case UnaryOp::tanh:
      return emit_tanh(builder_, operand);
    case UnaryOp::erf:
      return emit_erf(builder_, operand);
  }
  CHECK(false, "unknown unary operation");
  return operand;
}

// old + value; a product is fused.
Result<llvm::Value*> KernelEmitter::emit_sum_of(llvm::Value* old, const Value& value) {
  const auto* binary = std::get_if<std::shared_ptr<const Binary>>(&value.node());
  if (binary != nullptr && (*binary)->op == BinaryOp::mul) {
    llvm::Value* left = TRY(emit_value((*binary)->left, nullptr));
    llvm::Value* right = TRY(emit_value((*binary)->right, nullptr));
    unify(left, right);
    unify(left, old);
    unify(right, old);
    return emit_multiply_add(builder_, left, right, old);
  }
  llvm::Value* added = TRY(emit_value(value, nullptr));
  unify(added, old);
  return builder_.CreateFAdd(old, added);
}

KernelEmitter::Guard KernelEmitter::both(Guard a, Guard b) {
  if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
  unify(a, b);
  return builder_.CreateAnd(a, b);
}

Result<PointIndex> KernelEmitter::bound_at_point(const Bound& bound) {
  auto known = bound_indices_.find(&bound);
  if (known == bound_indices_.end())
    known = bound_indices_.emplace(&bound, index_.linear(bound.expr)).first;
  return index_.at_point(known->second);
}

// rule: a product with a factor that a bound excludes at this unrolled point is not emitted: in a
// border tile these are the taps in the padding.
Result<bool> KernelEmitter::is_zero(const Value& value) {
  if (const auto* constant = std::get_if<Constant>(&value.node())) return constant->value == 0;
  if (const auto* binary = std::get_if<std::shared_ptr<const Binary>>(&value.node())) {
    if ((*binary)->op != BinaryOp::mul) return false;
    if (TRY(is_zero((*binary)->left))) return true;
    return is_zero((*binary)->right);
  }
  const auto* select = std::get_if<std::shared_ptr<const Select>>(&value.node());
  if (select == nullptr || !TRY(is_zero((*select)->otherwise))) return false;
  for (const Bound& bound : (*select)->bounds) {
    const PointIndex at = TRY(bound_at_point(bound));
    if (at.range.max < bound.lower || at.range.min >= bound.upper) return true;
  }
  return is_zero((*select)->then);
}

// Branch-free; a bound that always or never holds costs nothing.
Result<llvm::Value*> KernelEmitter::emit_select(const Select& select, Guard guard) {
  Guard holds = nullptr;
  for (const Bound& bound : select.bounds) {
    const PointIndex at = TRY(bound_at_point(bound));
    if (at.range.max < bound.lower || at.range.min >= bound.upper)
      return emit_value(select.otherwise, guard);
    if (at.range.min >= bound.lower && at.range.max < bound.upper) continue;
    holds = both(holds, index_.within(at, bound.lower, bound.upper, lanes_));
  }
  if (holds == nullptr) return emit_value(select.then, guard);
  llvm::Value* then = TRY(emit_value(select.then, both(guard, holds)));
  const bool plain = std::holds_alternative<Constant>(select.otherwise.node());
  llvm::Value* otherwise =
      TRY(emit_value(select.otherwise, plain ? guard : both(guard, builder_.CreateNot(holds))));
  unify(then, otherwise);
  // rule: between vectors already here, where a broadcast and its mask are one instruction.
  if (lanes_ > 1 && !then->getType()->isVectorTy()) {
    then = splat(then);
    otherwise = splat(otherwise);
  }
  return choose(holds, then, otherwise);
}

// rule: a select stays a select, and one between vectors has a mask of lanes. LLVM turns a load
// behind a scalar condition, and x86 any choice between vectors by a scalar, into branches; a
// register tile cut into pieces by the branches of its guarded loads is spilled whole.
llvm::Value* KernelEmitter::choose(llvm::Value* holds, llvm::Value* then, llvm::Value* otherwise) {
  if (then->getType()->isVectorTy() && !holds->getType()->isVectorTy()) holds = splat(holds);
  if (then == otherwise) return then;
  llvm::Value* chosen = builder_.CreateSelect(holds, then, otherwise);
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(chosen)) {
    select->setMetadata(llvm::LLVMContext::MD_unpredictable,
                        llvm::MDNode::get(module_.getContext(), {}));
  }
  return chosen;
}

}  // namespace dovetail::cpu
