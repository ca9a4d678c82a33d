// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/emit/index_emitter.h"

#include <algorithm>
#include <bit>

#include "core/base/check.h"
#include "core/base/fail.h"

namespace dovetail::codegen {
namespace {

void extend(Range& range, const Range& of, int64_t coefficient) {
  const int64_t a = coefficient * of.min;
  const int64_t b = coefficient * of.max;
  range.min += std::min(a, b);
  range.max += std::max(a, b);
}

Unexpected unbound(const std::string& variable) {
  return fail("index variable {} is no loop around its use", variable);
}

}  // namespace

void IndexEmitter::begin(llvm::BasicBlock* entry) { scopes_.emplace_back().block = entry; }

int IndexEmitter::slot_of(std::string_view variable) {
  const auto it = slots_.find(variable);
  if (it != slots_.end()) return it->second;
  const int slot = static_cast<int>(names_.size());
  slots_.emplace(variable, slot);
  names_.emplace_back(variable);
  bindings_.emplace_back();
  return slot;
}

void IndexEmitter::bind_constant(std::string_view variable, int64_t value) {
  bindings_[slot_of(variable)] = {Binding::Kind::constant, value, 1, 0};
}

void IndexEmitter::bind_lane(std::string_view variable, int64_t extent) {
  bindings_[slot_of(variable)] = {Binding::Kind::lane, 0, extent, 0};
}

void IndexEmitter::enter_loop(std::string_view variable, int64_t extent, llvm::Value* counter,
                              llvm::BasicBlock* header) {
  scopes_.emplace_back().block = header;
  const int number = static_cast<int>(counters_.size());
  counters_.push_back({counter, static_cast<int>(scopes_.size()) - 1, {0, extent - 1}});
  bindings_[slot_of(variable)] = {Binding::Kind::counter, 0, extent, number};
}

void IndexEmitter::leave_loop() { scopes_.pop_back(); }

void IndexEmitter::unbind(std::string_view variable) { bindings_[slot_of(variable)] = {}; }

LinearIndex IndexEmitter::linear(const IndexExpr& index) { return linear({index}, {1}); }

LinearIndex IndexEmitter::linear(const std::vector<IndexExpr>& indices,
                                 const std::vector<int64_t>& extents) {
  const IndexExpr position = flattened(indices, extents);
  LinearIndex linear;
  linear.constant = position.constant();
  for (const IndexTerm& term : position.terms())
    if (term.atom.kind == IndexAtom::Kind::variable)
      linear.terms.push_back({slot_of(term.atom.variable), term.coefficient});
    else
      linear.opaque.push_back({term.atom, term.coefficient});
  std::ranges::sort(linear.terms, {}, &LinearIndex::Term::slot);
  return linear;
}

bool IndexEmitter::mentions(const LinearIndex& index, std::string_view variable) {
  const int slot = slot_of(variable);
  return std::ranges::find(index.terms, slot, &LinearIndex::Term::slot) != index.terms.end() ||
         std::ranges::any_of(index.opaque,
                             [&](const auto& term) { return term.atom.inner->mentions(variable); });
}

int64_t IndexEmitter::coefficient(const LinearIndex& index, std::string_view variable) {
  const int slot = slot_of(variable);
  for (const LinearIndex::Term& term : index.terms)
    if (term.slot == slot) return term.coefficient;
  return 0;
}

bool IndexEmitter::is_divided(const LinearIndex& index,
                              const std::vector<std::string_view>& variables) {
  return std::ranges::any_of(index.opaque, [&](const LinearIndex::OpaqueTerm& term) {
    return std::ranges::any_of(
        variables, [&](std::string_view name) { return term.atom.inner->mentions(name); });
  });
}

int64_t IndexEmitter::constant_value(std::string_view variable) {
  return bindings_[slot_of(variable)].value;
}

void IndexEmitter::add_counter(PointIndex& point, int counter, int64_t coefficient) const {
  point.counters.emplace_back(counter, coefficient);
  extend(point.range, counters_[counter].range, coefficient);
}

void IndexEmitter::add_bound(PointIndex& point, const Binding& binding, int64_t coefficient) const {
  if (binding.kind == Binding::Kind::counter) {
    add_counter(point, binding.counter, coefficient);
  } else if (binding.kind == Binding::Kind::constant) {
    point.constant += coefficient * binding.value;
  } else {
    point.lane_stride += coefficient;
    extend(point.range, {0, binding.extent - 1}, coefficient);
  }
}

void IndexEmitter::sort(CounterSum& counters) const {
  std::sort(counters.begin(), counters.end(), [&](const CounterTerm& a, const CounterTerm& b) {
    return std::pair(counters_[a.first].depth, a.first) <
           std::pair(counters_[b.first].depth, b.first);
  });
  CounterSum collected;
  for (const CounterTerm& term : counters)
    if (!collected.empty() && collected.back().first == term.first)
      collected.back().second += term.second;
    else
      collected.push_back(term);
  std::erase_if(collected, [](const CounterTerm& term) { return term.second == 0; });
  counters = std::move(collected);
}

Result<PointIndex> IndexEmitter::at_point(const LinearIndex& index) {
  PointIndex point;
  point.constant = index.constant;
  for (const LinearIndex::Term& term : index.terms) {
    const Binding& binding = bindings_[term.slot];
    if (binding.kind == Binding::Kind::unbound) return unbound(names_[term.slot]);
    add_bound(point, binding, term.coefficient);
  }
  for (const LinearIndex::OpaqueTerm& term : index.opaque) TRY(add_opaque(term, point));
  point.range.min += point.constant;
  point.range.max += point.constant;
  sort(point.counters);
  return point;
}

// With this point's constants substituted, a div or mod may simplify to plain variables.
Result<void> IndexEmitter::add_opaque(const LinearIndex::OpaqueTerm& term, PointIndex& point) {
  const IndexExpr whole = IndexExpr::of({IndexTerm{term.coefficient, term.atom}}, 0);
  std::map<std::string, IndexExpr, std::less<>> constants;
  Ranges ranges;
  for (const std::string& variable : whole.variables()) {
    const Binding& binding = bindings_[slot_of(variable)];
    if (binding.kind == Binding::Kind::unbound) return unbound(variable);
    if (binding.kind == Binding::Kind::constant)
      constants.emplace(variable, IndexExpr(binding.value));
    else
      ranges.emplace(variable, Range{0, binding.extent - 1});
  }
  const IndexExpr here = substitute(whole, constants, ranges);
  point.constant += here.constant();
  for (const IndexTerm& rest : here.terms())
    if (rest.atom.kind == IndexAtom::Kind::variable)
      add_bound(point, bindings_[slot_of(rest.atom.variable)], rest.coefficient);
    else
      add_counter(point, TRY(opaque_counter(rest.atom)), rest.coefficient);
  return {};
}

// The counter that stands for the run-time value of a div or mod.
Result<int> IndexEmitter::opaque_counter(const IndexAtom& atom) {
  const PointIndex inner = TRY(at_point(linear(*atom.inner)));
  if (inner.lane_stride != 0) {
    return fail("index {} differs between the lanes of a vector in a way that is no stride",
                print(IndexExpr::of({IndexTerm{1, atom}}, 0)));
  }
  const int depth = depth_of(inner.counters);
  const auto it = scopes_[depth].opaque.find(atom);
  if (it != scopes_[depth].opaque.end()) return it->second;

  llvm::IRBuilderBase::InsertPointGuard guard(builder_);
  llvm::Value* value = sum(inner.counters);
  insert_at(scopes_[depth]);
  value = builder_.CreateNSWAdd(value, number(inner.constant));
  const auto floored = [&](int64_t x) { return x / atom.divisor - (x % atom.divisor < 0 ? 1 : 0); };
  const Range range = atom.kind == IndexAtom::Kind::div
                          ? Range{floored(inner.range.min), floored(inner.range.max)}
                          : Range{0, atom.divisor - 1};
  const int number = static_cast<int>(counters_.size());
  counters_.push_back({divided(atom, value, inner.range), depth, range});
  scopes_[depth].opaque.emplace(atom, number);
  return number;
}

// Floored division and its remainder. A power of two is a shift and a mask whatever the sign.
llvm::Value* IndexEmitter::divided(const IndexAtom& atom, llvm::Value* inner, const Range& range) {
  const bool is_div = atom.kind == IndexAtom::Kind::div;
  const auto divisor = static_cast<uint64_t>(atom.divisor);
  if (std::has_single_bit(divisor)) {
    return is_div ? builder_.CreateAShr(inner, static_cast<uint64_t>(std::countr_zero(divisor)))
                  : builder_.CreateAnd(inner, number(atom.divisor - 1));
  }
  llvm::Value* d = number(atom.divisor);
  if (range.min >= 0) return is_div ? builder_.CreateUDiv(inner, d) : builder_.CreateURem(inner, d);
  // Add a multiple of d that makes it non-negative.
  const int64_t blocks = (-range.min + atom.divisor - 1) / atom.divisor;
  llvm::Value* shifted = builder_.CreateNSWAdd(inner, number(blocks * atom.divisor));
  if (!is_div) return builder_.CreateURem(shifted, d);
  return builder_.CreateNSWSub(builder_.CreateUDiv(shifted, d), number(blocks));
}

int IndexEmitter::add_value(llvm::Value* value, const Range& range) {
  counters_.push_back({value, /*depth=*/0, range});
  return static_cast<int>(counters_.size()) - 1;
}

void IndexEmitter::add(PointIndex& index, int counter, int64_t coefficient) const {
  add_counter(index, counter, coefficient);
  sort(index.counters);
}

void IndexEmitter::remove(PointIndex& index, std::string_view variable) {
  const int counter = bindings_[slot_of(variable)].counter;
  std::erase_if(index.counters, [&](const CounterTerm& term) { return term.first == counter; });
}

int IndexEmitter::depth_of(const CounterSum& counters) const {
  return counters.empty() ? 0 : counters_[counters.back().first].depth;
}

void IndexEmitter::insert_at(const Scope& scope) {
  builder_.SetInsertPoint(scope.block->getTerminator());
}

llvm::Value* IndexEmitter::times(llvm::Value* counter, int64_t coefficient) {
  return coefficient == 1 ? counter : builder_.CreateNSWMul(counter, number(coefficient));
}

llvm::Value* IndexEmitter::pointer(int storage, llvm::Value* base, llvm::Type* element,
                                   const CounterSum& counters) {
  if (counters.empty()) return base;
  Scope& scope = scopes_[depth_of(counters)];
  llvm::Value*& value = scope.pointers[{storage, counters}];
  if (value != nullptr) return value;
  const CounterSum outer(counters.begin(), counters.end() - 1);
  llvm::Value* start = pointer(storage, base, element, outer);
  llvm::IRBuilderBase::InsertPointGuard guard(builder_);
  insert_at(scope);
  const auto& [counter, coefficient] = counters.back();
  return value = builder_.CreateGEP(element, start, times(counters_[counter].value, coefficient));
}

llvm::Value* IndexEmitter::sum(const CounterSum& counters) {
  if (counters.empty()) return number(0);
  Scope& scope = scopes_[depth_of(counters)];
  llvm::Value*& value = scope.sums[counters];
  if (value != nullptr) return value;
  llvm::Value* start = sum(CounterSum(counters.begin(), counters.end() - 1));
  llvm::IRBuilderBase::InsertPointGuard guard(builder_);
  insert_at(scope);
  const auto& [counter, coefficient] = counters.back();
  llvm::Value* last = times(counters_[counter].value, coefficient);
  return value = counters.size() == 1 ? last : builder_.CreateNSWAdd(start, last);
}

llvm::Value* IndexEmitter::value(const PointIndex& index) {
  CHECK(index.lane_stride == 0, "a number is the same in all lanes");
  if (index.counters.empty()) return number(index.constant);
  llvm::IRBuilderBase::InsertPointGuard guard(builder_);
  llvm::Value* total = sum(index.counters);
  insert_at(scopes_[depth_of(index.counters)]);
  return builder_.CreateNSWAdd(total, number(index.constant));
}

llvm::Value* IndexEmitter::within(const PointIndex& index, int64_t lower, int64_t upper,
                                  int lanes) {
  Scope& scope = scopes_[depth_of(index.counters)];
  llvm::IRBuilderBase::InsertPointGuard guard(builder_);
  if (index.lane_stride == 0) {
    llvm::Value*& value = scope.conditions[{index.counters, index.constant - lower, upper - lower}];
    if (value != nullptr) return value;
    llvm::Value* total = sum(index.counters);
    insert_at(scope);
    total = builder_.CreateNSWAdd(total, number(index.constant - lower));
    return value = builder_.CreateICmpULT(total, number(upper - lower));
  }
  // 32 bits per lane suffice: a tensor has less than 2^31 elements.
  llvm::Value* total = sum(index.counters);
  insert_at(scope);
  total = builder_.CreateNSWAdd(total, number(index.constant - lower));
  total = builder_.CreateVectorSplat(lanes, builder_.CreateTrunc(total, builder_.getInt32Ty()));
  std::vector<llvm::Constant*> offsets;
  for (int lane = 0; lane < lanes; ++lane)
    offsets.push_back(builder_.getInt32(static_cast<uint32_t>(lane * index.lane_stride)));
  total = builder_.CreateAdd(total, llvm::ConstantVector::get(offsets));
  return builder_.CreateICmpULT(
      total,
      builder_.CreateVectorSplat(lanes, builder_.getInt32(static_cast<uint32_t>(upper - lower))));
}

}  // namespace dovetail::codegen
