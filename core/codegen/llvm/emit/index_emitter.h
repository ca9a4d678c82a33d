// SPDX-License-Identifier: Apache-2.0
//
// IndexEmitter: lowers index expressions to run-time values and addresses, while a nest is being
// walked.
//
// A variable is bound to a constant (an unrolled loop), to the lanes of a vector, or to a run-time
// counter (any other loop). At any point of the walk an index is therefore
//
//     constant + lane stride · lane + Σ coefficient · counter
//
//     X[h + kh, 7*w.0 + w.1 + kw] with w.1 = 2 and kw = 1 unrolled:  (58*h + 58*kh + 7*w.0) + 3
//
// and each partial sum of counters is computed once, in the header of its innermost loop: addresses
// are loop invariant by construction, and the points of an unrolled body differ by a constant
// displacement only.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/ir/index/index_expression.h"

namespace dovetail::codegen {

// An index over numbered variables (slots): an IndexExpr after name lookup.
struct LinearIndex {
  struct Term {
    int slot = 0;
    int64_t coefficient = 0;
  };
  struct OpaqueTerm {  // a div or mod
    IndexAtom atom;
    int64_t coefficient = 0;
  };
  int64_t constant = 0;
  std::vector<Term> terms;
  std::vector<OpaqueTerm> opaque;
};

inline bool any_mentions(const std::vector<IndexExpr>& indices, std::string_view variable) {
  return std::ranges::any_of(indices, [&](const IndexExpr& e) { return e.mentions(variable); });
}

// A counter, or a div or mod of counters, times a coefficient; sorted by the depth of its loop.
using CounterTerm = std::pair<int, int64_t>;
using CounterSum = std::vector<CounterTerm>;

// A LinearIndex evaluated with the bindings at one point of the walk.
struct PointIndex {
  int64_t constant = 0;
  int64_t lane_stride = 0;
  CounterSum counters;
  Range range;  // over all loops and lanes
};

class IndexEmitter {
 public:
  // Indices are computed in so many bits: a GPU divides 32 bits in a quarter of 64 bits' time.
  IndexEmitter(llvm::IRBuilder<>& builder, unsigned bits)
      : builder_(builder), type_(builder.getIntNTy(bits)) {}
  llvm::IntegerType* type() const { return type_; }
  llvm::Constant* number(int64_t value) const { return llvm::ConstantInt::getSigned(type_, value); }
  // `entry` ends with a branch; loop-invariant code is emitted there.
  void begin(llvm::BasicBlock* entry);

  void bind_constant(std::string_view variable, int64_t value);
  void bind_lane(std::string_view variable, int64_t extent);
  // `header` ends with a branch and dominates the loop's body.
  void enter_loop(std::string_view variable, int64_t extent, llvm::Value* counter,
                  llvm::BasicBlock* header);
  void leave_loop();
  void unbind(std::string_view variable);

  LinearIndex linear(const IndexExpr& index);
  LinearIndex linear(const std::vector<IndexExpr>& indices, const std::vector<int64_t>& extents);
  Result<PointIndex> at_point(const LinearIndex& index);
  bool mentions(const LinearIndex& index, std::string_view variable);
  int64_t coefficient(const LinearIndex& index, std::string_view variable);  // ignores div and mod
  // True if a div or mod mentions one of them.
  static bool is_divided(const LinearIndex& index, const std::vector<std::string_view>& variables);
  int64_t constant_value(std::string_view variable);  // for variables of unrolled loops

  // A counter for a value that is computed in the entry, and the index with a multiple of it.
  int add_value(llvm::Value* value, const Range& range);
  void add(PointIndex& index, int counter, int64_t coefficient) const;
  // Removes the multiple of the counter of a loop.
  void remove(PointIndex& index, std::string_view variable);

  // The index, of type(). Precondition: its lane stride is 0.
  llvm::Value* value(const PointIndex& index);
  // base + Σ counters, without the constant.
  llvm::Value* pointer(int storage, llvm::Value* base, llvm::Type* element,
                       const CounterSum& counters);
  // lower <= index < upper: an i1 where the lane stride is 0, else <lanes x i1>.
  llvm::Value* within(const PointIndex& index, int64_t lower, int64_t upper, int lanes);
  llvm::BasicBlock* entry() const { return scopes_.front().block; }

 private:
  struct Binding {
    enum class Kind : uint8_t { unbound, constant, lane, counter };
    Kind kind = Kind::unbound;
    int64_t value = 0;   // for Kind::constant
    int64_t extent = 1;  // for Kind::lane and counter
    int counter = 0;
  };
  struct Counter {
    llvm::Value* value = nullptr;
    int depth = 0;  // index of its scope
    Range range;
  };
  using PointerKey = std::pair<int, CounterSum>;
  using ConditionKey = std::tuple<CounterSum, int64_t, int64_t>;
  struct Scope {
    llvm::BasicBlock* block = nullptr;
    std::map<PointerKey, llvm::Value*> pointers;
    std::map<CounterSum, llvm::Value*> sums;
    std::map<ConditionKey, llvm::Value*> conditions;
    std::map<IndexAtom, int> opaque;  // div and mod of counters
  };

  int slot_of(std::string_view variable);
  Result<void> add_opaque(const LinearIndex::OpaqueTerm& term, PointIndex& point);
  Result<int> opaque_counter(const IndexAtom& atom);
  llvm::Value* divided(const IndexAtom& atom, llvm::Value* inner, const Range& range);
  int depth_of(const CounterSum& counters) const;
  void add_counter(PointIndex& point, int counter, int64_t coefficient) const;
  void add_bound(PointIndex& point, const Binding& binding, int64_t coefficient) const;
  void sort(CounterSum& counters) const;
  llvm::Value* sum(const CounterSum& counters);
  llvm::Value* times(llvm::Value* counter, int64_t coefficient);
  void insert_at(const Scope& scope);

  llvm::IRBuilder<>& builder_;
  llvm::IntegerType* type_;
  std::vector<Scope> scopes_;
  std::vector<Counter> counters_;
  std::map<std::string, int, std::less<>> slots_;
  std::vector<std::string> names_;  // by slot
  std::vector<Binding> bindings_;   // by slot
};

}  // namespace dovetail::codegen
