// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/Module.h>

#include <cmath>
#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/codegen/llvm/emit/kernel_emitter.h"
#include "core/codegen/llvm/emit/vector_math.h"
#include "core/ir/value/ndarray.h"

namespace dovetail::codegen {
namespace {

// Signed division that rounds towards zero and never traps: x / 0 is 0, and -2^63 / -1 is -2^63.
llvm::Value* quotient(llvm::IRBuilder<>& builder, llvm::Value* left, llvm::Value* right) {
  llvm::Constant* zero = llvm::Constant::getNullValue(left->getType());
  llvm::Constant* one = llvm::ConstantInt::get(left->getType(), 1);
  llvm::Constant* minus_one = llvm::Constant::getAllOnesValue(left->getType());
  llvm::Value* undefined = builder.CreateICmpEQ(right, zero);
  llvm::Value* negated = builder.CreateICmpEQ(right, minus_one);
  llvm::Value* divisor = builder.CreateSelect(builder.CreateOr(undefined, negated), one, right);
  llvm::Value* result = builder.CreateSDiv(left, divisor);
  result = builder.CreateSelect(negated, builder.CreateNeg(result), result);
  return builder.CreateSelect(undefined, zero, result);
}

}  // namespace

Result<llvm::Value*> KernelEmitter::emit_value(const Value& value, Guard guard) {
  if (const auto* constant = value.as<Constant>())  // agree() sets its type
    return llvm::ConstantFP::get(builder_.getDoubleTy(), constant->value);
  if (const auto* load = value.as<Load>()) return emit_load(*load, guard);
  if (const auto* binary = value.as<Binary>()) return emit_binary(*binary, guard);
  if (const auto* unary = value.as<Unary>())
    return emit_unary(*unary, TRY(emit_value(unary->operand, guard)));
  if (const auto* select = value.as<Select>()) return emit_select(*select, guard);
  if (const auto* choice = value.as<Choose>()) return emit_choice(*choice, guard);
  if (const auto* cast = value.as<Cast>())
    return emit_cast(cast->type, TRY(emit_value(cast->operand, guard)));
  if (const auto* index = value.as<IndexValue>()) return emit_index(*index);
  return fail("{} stands in a program, expected a load", print(value));
}

// Converts a float, an integer or a boolean, scalar or vector, to another type.
llvm::Value* KernelEmitter::converted(llvm::Value* value, ComputedType type) {
  llvm::Type* own = value->getType();
  if (own->isDoubleTy()) return number(value, type);
  const bool is_real = own->isFPOrFPVectorTy(), is_truth = own->isIntOrIntVectorTy(1);
  llvm::Type* real = own->getWithNewType(builder_.getFloatTy());
  llvm::Type* integer = own->getWithNewType(builder_.getInt64Ty());
  switch (type) {
    case ComputedType::real:
      if (is_real) return value;
      return is_truth ? builder_.CreateUIToFP(value, real) : builder_.CreateSIToFP(value, real);
    case ComputedType::integer:
      if (is_truth) return builder_.CreateZExt(value, integer);
      return is_real ? truncated(value, 64) : value;
    case ComputedType::boolean:
      if (is_truth) return value;
      return is_real ? builder_.CreateFCmpUNE(value, llvm::Constant::getNullValue(own))
                     : builder_.CreateICmpNE(value, llvm::Constant::getNullValue(own));
  }
  CHECK(false, "unknown type");
}

// Converts a constant of the text, a double: integers are exact up to 2^53, and values beyond i64,
// such as infinity, saturate.
llvm::Value* KernelEmitter::number(llvm::Value* constant, ComputedType type) {
  const double number = llvm::cast<llvm::ConstantFP>(constant)->getValueAPF().convertToDouble();
  if (type == ComputedType::real) return llvm::ConstantFP::get(builder_.getFloatTy(), number);
  if (type == ComputedType::boolean) return builder_.getInt1(number != 0);
  const int64_t whole =
      number >= 0x1p63 ? std::numeric_limits<int64_t>::max() : integer_of(number, ElementType::i64);
  return builder_.getInt64(static_cast<uint64_t>(whole));
}

// Truncates towards zero; values that do not fit become the least integer, as on x86, and not
// poison.
llvm::Value* KernelEmitter::truncated(llvm::Value* value, unsigned bits) {
  llvm::Type* own = value->getType();
  llvm::Type* integer = own->getWithNewType(builder_.getIntNTy(bits));
  llvm::Value* whole = builder_.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {integer, own}, value);
  llvm::Value* fits =
      builder_.CreateFCmpOLT(value, llvm::ConstantFP::get(own, std::ldexp(1.0, bits - 1)));
  return builder_.CreateSelect(
      fits, whole, llvm::ConstantInt::get(integer, llvm::APInt::getSignedMinValue(bits)));
}

// A narrower type rounds or wraps as when stored (core/ir/value/ndarray.h).
llvm::Value* KernelEmitter::emit_cast(ElementType type, llvm::Value* value) {
  const ComputedType computed = computed_type(type);
  if (value->getType()->isDoubleTy()) value = converted(value, ComputedType::real);
  if (computed == ComputedType::real) {
    value = converted(value, computed);
    if (type == ElementType::bf16)
      return emit_from_bfloat(builder_, emit_to_bfloat(builder_, value));
    if (type == ElementType::tf32) return emit_tf32(builder_, value);
    if (type == ElementType::tf32x2) return emit_tf32x2(builder_, value);
    if (type != ElementType::f16) return value;
    llvm::Type* own = value->getType();
    llvm::Value* half = builder_.CreateFPTrunc(value, own->getWithNewType(builder_.getHalfTy()));
    return builder_.CreateFPExt(half, own);
  }
  if (computed == ComputedType::boolean || type == ElementType::i64)
    return converted(value, computed);
  // Floats convert to narrower integers via 32 bits, to u32 via 64.
  const bool is_real = value->getType()->isFPOrFPVectorTy();
  value =
      is_real ? truncated(value, type == ElementType::u32 ? 64 : 32) : converted(value, computed);
  const auto bits = static_cast<unsigned>(8 * bytes_of(type));
  llvm::Type* own = value->getType();
  llvm::Value* narrow =
      builder_.CreateIntCast(value, own->getWithNewType(builder_.getIntNTy(bits)), true);
  return builder_.CreateIntCast(narrow, own->getWithNewType(builder_.getInt64Ty()),
                                is_signed(type));
}

Result<void> KernelEmitter::agree(llvm::Value*& a, llvm::Value*& b) {
  if (a->getType()->isDoubleTy() && b->getType()->isDoubleTy())
    b = converted(b, ComputedType::real);
  llvm::Type *left = a->getType()->getScalarType(), *right = b->getType()->getScalarType();
  if (left == right) return {};
  const auto type_of = [&](llvm::Type* type) {
    return type->isFloatTy()      ? ComputedType::real
           : type->isIntegerTy(1) ? ComputedType::boolean
                                  : ComputedType::integer;
  };
  // Constants of the text are floats. An index that folds to a constant is an integer and not
  // converted.
  const auto is_number = [](llvm::Value* value) {
    return llvm::isa<llvm::Constant>(value) && value->getType()->isFPOrFPVectorTy();
  };
  if (is_number(a) && !right->isDoubleTy())
    a = converted(a, type_of(right));
  else if (is_number(b))
    b = converted(b, type_of(left));
  else
    return fail("an operation on values of two types, expected a cast");
  return {};
}

// An index is an integer, or a vector of them where it depends on the vectorized loop.
Result<llvm::Value*> KernelEmitter::emit_index(const IndexValue& index) {
  PointIndex at = TRY(index_.at_point(index_.linear(index.index)));
  const int64_t stride = std::exchange(at.lane_stride, 0);
  llvm::Value* first = builder_.CreateSExt(index_.value(at), builder_.getInt64Ty());
  if (stride == 0) return first;
  std::vector<llvm::Constant*> steps;
  for (int lane = 0; lane < lanes_; ++lane)
    steps.push_back(builder_.getInt64(static_cast<uint64_t>(stride * lane)));
  return builder_.CreateAdd(splat(first), llvm::ConstantVector::get(steps));
}

Result<llvm::Value*> KernelEmitter::emit_choice(const Choose& choice, Guard guard) {
  llvm::Value* condition =
      converted(TRY(emit_value(choice.condition, guard)), ComputedType::boolean);
  llvm::Value* then = TRY(emit_value(choice.then, guard));
  llvm::Value* otherwise = TRY(emit_value(choice.otherwise, guard));
  return choose_one(condition, then, otherwise, condition->getType()->isVectorTy());
}

llvm::Value* KernelEmitter::splat(llvm::Value* value) {
  return builder_.CreateVectorSplat(static_cast<unsigned>(lanes_), value);
}

void KernelEmitter::unify(llvm::Value*& a, llvm::Value*& b) {
  if (a->getType() == b->getType()) return;
  if (!a->getType()->isVectorTy()) a = splat(a);
  if (!b->getType()->isVectorTy()) b = splat(b);
}

// The larger or smaller operand; NaN when either is NaN.
llvm::Value* KernelEmitter::emit_extremum(bool is_max, llvm::Value* a, llvm::Value* b) {
  if (llvm::isa<llvm::Constant>(a)) std::swap(a, b);
  const auto beyond = is_max ? llvm::CmpInst::FCMP_OLT : llvm::CmpInst::FCMP_OGT;
  // A single instruction, which returns a when a is NaN.
  llvm::Value* extremum = builder_.CreateSelect(builder_.CreateFCmp(beyond, a, b), b, a);
  if (llvm::isa<llvm::Constant>(b)) return extremum;
  return builder_.CreateSelect(builder_.CreateFCmpUNO(b, b), b, extremum);
}

std::optional<KernelEmitter::ScaledSum> KernelEmitter::scaled_sum(const Binary& sum) {
  const auto* product = sum.right.as<Binary>();
  const bool adds = sum.op == BinaryOp::add || sum.op == BinaryOp::sub;
  if (!adds || product == nullptr || product->op != BinaryOp::mul) return std::nullopt;
  const auto* number = product->right.as<Constant>();
  if (number == nullptr) return std::nullopt;
  return ScaledSum{&product->left, sum.op == BinaryOp::add ? number->value : -number->value};
}

llvm::Value* KernelEmitter::add_scaled(llvm::Value* added, llvm::Value* scaled, double factor) {
  added = converted(added, ComputedType::real);
  unify(added, scaled);
  return emit_multiply_add(builder_, scaled, llvm::ConstantFP::get(scaled->getType(), factor),
                           added);
}

Result<llvm::Value*> KernelEmitter::emit_binary(const Binary& binary, Guard guard) {
  llvm::Value* left = TRY(emit_value(binary.left, guard));
  if (const std::optional<ScaledSum> sum = scaled_sum(binary)) {
    llvm::Value* scaled = TRY(emit_value(*sum->scaled, guard));
    const bool is_number = scaled->getType()->isDoubleTy();
    if (scaled->getType()->isFPOrFPVectorTy() && !is_number)
      return add_scaled(left, scaled, sum->factor);
  }
  return combined(binary.op, left, TRY(emit_value(binary.right, guard)));
}

Result<llvm::Value*> KernelEmitter::combined(BinaryOp op, llvm::Value* left, llvm::Value* right) {
  TRY(agree(left, right));
  unify(left, right);
  if (op == BinaryOp::pow && !left->getType()->isFPOrFPVectorTy())
    return fail("pow of integers, expected a cast");
  return emit_operation(op, left, right);
}

// The operands are floats, integers or booleans; for booleans min is `and`, and max is `or`.
llvm::Value* KernelEmitter::emit_operation(BinaryOp op, llvm::Value* left, llvm::Value* right) {
  using llvm::CmpInst, llvm::Instruction;
  const bool real = left->getType()->isFPOrFPVectorTy();
  const bool truths = left->getType()->isIntOrIntVectorTy(1);
  switch (op) {
    case BinaryOp::add:
      return builder_.CreateBinOp(real ? Instruction::FAdd : Instruction::Add, left, right);
    case BinaryOp::sub:
      return builder_.CreateBinOp(real ? Instruction::FSub : Instruction::Sub, left, right);
    case BinaryOp::mul:
      return builder_.CreateBinOp(real ? Instruction::FMul : Instruction::Mul, left, right);
    case BinaryOp::div:
      return real ? builder_.CreateFDiv(left, right) : quotient(builder_, left, right);
    case BinaryOp::min:
      if (real) return emit_extremum(false, left, right);
      return truths ? builder_.CreateAnd(left, right)
                    : builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, left, right);
    case BinaryOp::max:
      if (real) return emit_extremum(true, left, right);
      return truths ? builder_.CreateOr(left, right)
                    : builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, left, right);
    case BinaryOp::pow: return emit_pow(builder_, left, right);
    case BinaryOp::less:
      return builder_.CreateCmp(real ? CmpInst::FCMP_OLT : CmpInst::ICMP_SLT, left, right);
    case BinaryOp::less_equal:
      return builder_.CreateCmp(real ? CmpInst::FCMP_OLE : CmpInst::ICMP_SLE, left, right);
    case BinaryOp::equal:
      return builder_.CreateCmp(real ? CmpInst::FCMP_OEQ : CmpInst::ICMP_EQ, left, right);
  }
  CHECK(false, "unknown binary operation");
}

Result<llvm::Value*> KernelEmitter::emit_unary(const Unary& unary, llvm::Value* operand) {
  if (operand->getType()->isDoubleTy()) operand = converted(operand, ComputedType::real);
  if (!operand->getType()->isFPOrFPVectorTy()) {
    if (unary.op == UnaryOp::abs)
      return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, operand, builder_.getFalse());
    if (unary.op == UnaryOp::floor) return operand;
    return fail("{} of an integer, expected a cast", print(Value(unary.operand)));
  }
  switch (unary.op) {
    case UnaryOp::exp: return emit_exp(builder_, operand);
    case UnaryOp::tanh: return emit_tanh(builder_, operand);
    case UnaryOp::erf: return emit_erf(builder_, operand);
    case UnaryOp::log: return emit_log(builder_, operand);
    case UnaryOp::sqrt: return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, operand);
    case UnaryOp::rsqrt:
      return builder_.CreateFDiv(llvm::ConstantFP::get(operand->getType(), 1.0),
                                 builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, operand));
    case UnaryOp::floor: return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, operand);
    case UnaryOp::abs: return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, operand);
    case UnaryOp::sin: return emit_sin(builder_, operand);
    case UnaryOp::cos: return emit_cos(builder_, operand);
    case UnaryOp::atan: return emit_atan(builder_, operand);
  }
  CHECK(false, "unknown unary operation");
  return operand;
}

llvm::Value* KernelEmitter::joined(Reducer reducer, llvm::Value* old, llvm::Value* value) {
  if (!old->getType()->isFPOrFPVectorTy()) return emit_operation(operation_of(reducer), old, value);
  switch (reducer) {
    case Reducer::sum: return builder_.CreateFAdd(old, value);
    case Reducer::prod: return builder_.CreateFMul(old, value);
    default: break;
  }
  // rule: reductions of NaN are unspecified, so that a maximum is one instruction; a NaN value is
  // skipped.
  llvm::Value* beyond = reducer == Reducer::max ? builder_.CreateFCmpOGT(value, old)
                                                : builder_.CreateFCmpOLT(value, old);
  return builder_.CreateSelect(beyond, value, old);
}

// Reduces a value into the old one; the sum of a product becomes one multiply-add.
Result<llvm::Value*> KernelEmitter::emit_joined(Reducer reducer, llvm::Value* old,
                                                const Value& value) {
  const auto* binary = value.as<Binary>();
  const bool is_real = old->getType()->isFPOrFPVectorTy();
  if (is_real && reducer == Reducer::sum && binary != nullptr && binary->op == BinaryOp::mul) {
    llvm::Value* left = TRY(emit_value(binary->left, nullptr));
    llvm::Value* right = TRY(emit_value(binary->right, nullptr));
    TRY(agree(left, right));
    left = converted(left, ComputedType::real);
    right = converted(right, ComputedType::real);
    unify(left, right);
    unify(left, old);
    unify(right, old);
    return emit_multiply_add(builder_, left, right, old);
  }
  llvm::Value* added = converted(TRY(emit_value(value, nullptr)),
                                 is_real ? ComputedType::real : ComputedType::integer);
  unify(added, old);
  return joined(reducer, old, added);
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

// rule: a product with a factor that a bound makes zero at this unrolled point is not emitted: in a
// border tile these are the taps in the padding.
Result<bool> KernelEmitter::is_zero(const Value& value) {
  if (const auto* constant = value.as<Constant>()) return constant->value == 0;
  if (const auto* binary = value.as<Binary>()) {
    if (binary->op != BinaryOp::mul) return false;
    if (TRY(is_zero(binary->left))) return true;
    return is_zero(binary->right);
  }
  const auto* select = value.as<Select>();
  if (select == nullptr || !TRY(is_zero(select->otherwise))) return false;
  for (const Bound& bound : select->bounds) {
    const PointIndex at = TRY(bound_at_point(bound));
    if (at.range.max < bound.lower || at.range.min >= bound.upper) return true;
  }
  return is_zero(select->then);
}

// Branch-free; bounds that always or never hold cost nothing.
Result<KernelEmitter::Condition> KernelEmitter::condition_of(const Select& select) {
  Condition condition;
  for (const Bound& bound : select.bounds) {
    const PointIndex at = TRY(bound_at_point(bound));
    if (at.range.max < bound.lower || at.range.min >= bound.upper)
      return Condition{.never = true, .holds = nullptr};
    if (at.range.min >= bound.lower && at.range.max < bound.upper) continue;
    condition.holds = both(condition.holds, index_.within(at, bound.lower, bound.upper, lanes_));
  }
  return condition;
}

Result<llvm::Value*> KernelEmitter::emit_select(const Select& select, Guard guard) {
  const auto [never, holds] = TRY(condition_of(select));
  if (never) return emit_value(select.otherwise, guard);
  if (holds == nullptr) return emit_value(select.then, guard);
  llvm::Value* then = TRY(emit_value(select.then, both(guard, holds)));
  const bool plain = (select.otherwise.as<Constant>() != nullptr);
  llvm::Value* otherwise =
      TRY(emit_value(select.otherwise, plain ? guard : both(guard, builder_.CreateNot(holds))));
  // rule: select between vectors here already, where a broadcast and its mask are one instruction.
  return choose_one(holds, then, otherwise, /*as_vectors=*/lanes_ > 1);
}

Result<llvm::Value*> KernelEmitter::choose_one(llvm::Value* holds, llvm::Value* then,
                                               llvm::Value* otherwise, bool as_vectors) {
  TRY(agree(then, otherwise));
  unify(then, otherwise);
  if (as_vectors && !then->getType()->isVectorTy()) {
    then = splat(then);
    otherwise = splat(otherwise);
  }
  return choose(holds, then, otherwise);
}

// rule: a select stays a select, and one between vectors has a mask per lane. LLVM turns a load
// behind a scalar condition, and on x86 any vector select by a scalar, into branches; a register
// tile whose code is split by branches of guarded loads is spilled as a whole.
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

}  // namespace dovetail::codegen
