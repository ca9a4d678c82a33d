// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/Module.h>

#include "core/base/check.h"
#include "core/codegen/llvm/emit/kernel_emitter.h"
#include "core/codegen/llvm/emit/vector_math.h"

namespace dovetail::cpu {

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
