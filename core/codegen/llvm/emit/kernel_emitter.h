// SPDX-License-Identifier: Apache-2.0
//
// KernelEmitter: emits one kernel of a Program as one LLVM function, by walking its nest like an
// interpreter:
//
//   unrolled loop      its body again for each value of its variable, now a constant
//   vectorized loop    its body once, with <extent x float> values; what does not depend on the
//                      lane stays scalar until it meets a vector
//   register tile      an alloca at constant indices, which SROA turns into one SSA value a vector
//   private tile       an alloca that stays memory: of the stack, so each thread has its own
//   other loops        a counted loop; the outermost parallel one runs from `first` to `last`
//
// For a device of work-groups, whose lanes are the work-items, the same walk is
//
//   bound loop         its body once, at the number of the group or of the work-item
//   vectorized loop    vectors where its lanes lie side by side, which become the device's loads
//                      and stores of several elements; else written out
//   local tile         an array in the memory that a group shares
//
// Emission rules that affect speed, each found by a failure, are marked `rule:` in this folder.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/codegen/llvm/emit/device/nvidia_intrinsics.h"
#include "core/codegen/llvm/emit/index_emitter.h"
#include "core/codegen/llvm/emit/x86_intrinsics.h"
#include "core/codegen/work_groups/geometry.h"
#include "core/codegen/work_groups/group_copy.h"
#include "core/ir/intrinsic/match.h"
#include "core/ir/program/program.h"
#include "core/ir/target.h"

namespace dovetail::codegen {

// The values of some unrolled loops' variables.
using UnrolledPoint = std::vector<std::pair<std::string, int64_t>>;

class KernelEmitter {
 public:
  // A kernel of a device, whose arguments are these buffers of the program. Both are kept.
  struct DeviceForm {
    const Geometry& geometry;
    const std::vector<int>& buffers;
    unsigned index_bits = 32;
  };
  // Without a form: void symbol(void* const* buffers, int64_t first, int64_t last) of a CPU.
  KernelEmitter(const Program& program, const Kernel& kernel, const Target& target,
                llvm::Module& module, std::optional<DeviceForm> form = std::nullopt);
  Result<void> emit(const std::string& symbol, bool hidden);

 private:
  struct Storage {  // a buffer or a tile
    std::string name;
    bool is_tile = false;
    bool is_registers = false;  // a tile that SROA promotes to SSA values
    std::vector<int64_t> extents;
    int64_t elements = 0;
    ElementType type = ElementType::f32;
    llvm::Type* element = nullptr;  // stored type
    llvm::Value* base = nullptr;
    llvm::MDNode* alias_scope = nullptr;  // null for register tiles
    llvm::MDNode* no_alias = nullptr;
  };
  struct Access {
    int storage = 0;
    LinearIndex index;
    int64_t lowest = 0, highest = 0;  // range over the unrolled loops, constant included
    bool launder = false;
    // The unrolled reduction loops (variable, extent), which identify a point.
    std::vector<std::pair<std::string, int64_t>> point;
  };
  // The condition under which a value is needed: null (always), an i1, or one i1 per lane.
  using Guard = llvm::Value*;

  // kernel_emitter.cc: function, loops, statements
  llvm::Function* create_function(const std::string& symbol);
  void describe_machine(llvm::Function& function) const;
  Result<void> emit_block(const Block& block);
  llvm::BasicBlock* new_block(const std::string& name);
  Result<void> emit_loop(const Loop& loop);
  Result<void> emit_unrolled(const Loop& loop);
  // False, with nothing emitted, where the loop is not a tile to store by columns.
  Result<bool> emit_transposed(const Loop& loop);
  Result<void> store_columns(const Store& store, const Access& access, const Loop& lanes,
                             const std::vector<llvm::Value*>& columns, int64_t dense);
  Result<void> emit_lanes(const Loop& loop);

  // work_groups.cc: kernels of a device
  bool on_device() const { return form_.has_value(); }
  llvm::Function* create_device_function(const std::string& symbol);
  void begin_device_kernel();
  Result<void> emit_device_loop(const Loop& loop);
  Result<void> emit_written_out(const Loop& loop);
  Result<bool> lies_side_by_side(const Loop& loop);
  Result<bool> lies_side_by_side(const Store& store);
  Result<void> emit_distributed(const Loop& loop, bool is_thread);
  Result<void> emit_barrier(const Barrier& barrier);
  void declare_local_tile(const ScopedTile& tile);
  llvm::GlobalVariable* group_array(llvm::Type* element, int64_t elements, const std::string& name,
                                    int64_t alignment);

  // tensorized.cc: loops that are one instruction
  Result<void> emit_tensorized(const Loop& loop);
  Result<void> emit_spelled(const IntrinsicUse& use, Spelling spelling);
  Result<void> emit_scalar(const Loop& loop);
  Result<void> emit_fragments(const IntrinsicUse& use, const FragmentSpelling& spelling);
  struct Operand {
    int storage = 0;
    llvm::Value* pointer = nullptr;
    llvm::Align alignment;
    llvm::Type* type = nullptr;  // a vector of all its elements
  };
  Result<Operand> operand_of(const void* key, const std::string& name,
                             const std::vector<IndexExpr>& indices, int64_t elements);

  // fragments.cc: an instruction of a warp
  struct WarpLanes {  // counters of the index emitter
    int twice_t = 0, upper_g = 0, lower_g = 0;
    // Work-item 8*i + r: r - g, and both numbers' bits.
    int row_after_g = 0, upper_row = 0, lower_row = 0, upper_block = 0, lower_block = 0;
    int warpgroup = 0;
  };
  const WarpLanes& warp_lanes();
  Result<llvm::Value*> fragment_of(int storage, PointIndex at);
  std::vector<llvm::Value*> pairs_of_blocks(int storage, const PointIndex& at, unsigned blocks);
  Result<std::vector<llvm::Value*>> row_blocks(const IntrinsicUse& use);
  Result<std::vector<llvm::Value*>> column_blocks(const IntrinsicUse& use);
  Result<std::vector<llvm::Value*>> row_fragments(const IntrinsicUse& use);
  Result<std::vector<llvm::Value*>> column_fragments(const IntrinsicUse& use);

  // group_product.cc: an instruction of four warps, which runs on while the next ones are issued
  Result<void> emit_group_product(const IntrinsicUse& use, const GroupSpelling& spelling);
  struct BlockOperand {
    llvm::Value* pointer = nullptr;
    int64_t along_k_bytes = 0, along_rows_bytes = 0;  // from a block to the next
  };
  Result<BlockOperand> block_operand(const IntrinsicUse& use, size_t operand);
  bool has_group_products() const;
  void order_stores_before_products();
  void close_products();
  void wait_for_products();
  void wait_for_products(int64_t leaving);
  std::optional<int> running_into(const Loop& loop) const;
  void begin_rounds(const std::optional<int>& running);
  void wait_if_pending(int storage);

  // async_copies.cc: stores that are done later
  bool has_async_copies() const;
  // False, with nothing emitted, where the store is no such copy.
  Result<bool> emit_async_copy(const Store& store);
  void wait_for_copies(int64_t leaving);

  // bulk_copies.cc: stores that a group makes as one copy
  struct Batches {
    llvm::Value* ring = nullptr;         // words of the group's memory
    int64_t most_left = 0;               // batches that a barrier leaves
    int64_t words = 1;                   // a power of two above it
    llvm::Value* one = nullptr;          // true for one work-item
    llvm::AllocaInst* number = nullptr;  // that the batch being made has
  };
  void find_group_copies();
  void begin_group_copies();
  bool is_copied_by_the_group(const Store& store) const;
  Result<void> emit_group_copy(const GroupCopy& copy, size_t piece = 0);
  void wait_for_group_copies(int64_t leaving);
  llvm::Value* word_of(llvm::Value* batch);

  // side_by_side.cc: functions of two vectors at once
  // False, with nothing emitted, where the loop stores no such function.
  Result<bool> emit_side_by_side(const Loop& loop);
  void bind(const UnrolledPoint& point);
  Result<std::vector<llvm::Value*>> emit_values(const Value& value,
                                                std::span<const UnrolledPoint> points);
  Result<std::vector<llvm::Value*>> emit_pair(const Unary& function,
                                              const std::vector<llvm::Value*>& operands);

  struct Span {  // range of a loop's counter
    llvm::Value* first = nullptr;
    llvm::Value* last = nullptr;
    bool may_be_empty = false;
  };
  Result<Span> clipped(const Loop& loop);
  Result<llvm::Value*> emit_limit(llvm::Value* known, const std::vector<IndexExpr>& limits,
                                  unsigned choice);
  Result<void> emit_counted(const Loop& loop, const Span& span);
  Result<void> emit_gather(const Loop& loop);
  // Products of the body are awaited at its end, unless they run into the next iteration.
  Result<void> emit_body(const Loop& loop, llvm::Value* counter, llvm::BasicBlock* header,
                         bool products_run_on = false);
  Result<void> emit_prefetches(const Loop& loop);
  // store_emitter.cc
  Result<void> emit_store(const Store& store);
  // A store without reduction: `value` replaces the element.
  Result<void> put(const Store& store, const Access& access, llvm::Value* value);
  Result<void> finish_store(llvm::StoreInst* stored, const Store& store, const Access& access);
  llvm::Value* over_lanes(Reducer reducer, llvm::Value* old, llvm::Value* lanes);
  Result<void> check_lane_order(const Loop& loop);
  void forget_loads();

  // memory_emitter.cc: buffers and tiles
  void declare_memory();
  void declare_buffers();
  void declare_alias_scopes();
  llvm::Value* base_of(int storage);
  llvm::Value* pointer_to(int storage, const PointIndex& at);  // without the constant of `at`
  void declare_shared_and_private_tiles(const Block& block);
  void declare_tile(const ScopedTile& tile);

  // value_emitter.cc: values
  Result<llvm::Value*> emit_value(const Value& value, Guard guard);
  // a ± b·c with a constant c becomes one multiply-add per sum, even where several sums share b·c:
  // LLVM would compute such a product once and spill it.
  struct ScaledSum {
    const Value* scaled = nullptr;  // b
    double factor = 0;              // ±c
  };
  static std::optional<ScaledSum> scaled_sum(const Binary& sum);
  llvm::Value* add_scaled(llvm::Value* added, llvm::Value* scaled, double factor);
  Result<llvm::Value*> emit_binary(const Binary& binary, Guard guard);
  Result<llvm::Value*> combined(BinaryOp op, llvm::Value* left, llvm::Value* right);
  llvm::Value* emit_extremum(bool is_max, llvm::Value* a, llvm::Value* b);
  llvm::Value* emit_operation(BinaryOp op, llvm::Value* left, llvm::Value* right);
  Result<llvm::Value*> emit_unary(const Unary& unary, llvm::Value* operand);
  Result<llvm::Value*> emit_choice(const Choose& choice, Guard guard);
  Result<llvm::Value*> emit_index(const IndexValue& index);
  llvm::Value* converted(llvm::Value* value, ComputedType type);
  // A constant (a double until here) takes the type of the other operand.
  llvm::Value* number(llvm::Value* constant, ComputedType type);
  llvm::Value* truncated(llvm::Value* value, unsigned bits);
  llvm::Value* emit_cast(ElementType type, llvm::Value* value);
  // Converts a constant operand to the other operand's type; fails for two different types.
  Result<void> agree(llvm::Value*& a, llvm::Value*& b);
  Result<llvm::Value*> emit_select(const Select& select, Guard guard);
  struct Condition {  // a select's, at the current point
    bool never = false;
    Guard holds = nullptr;  // null: always, unless never
  };
  Result<Condition> condition_of(const Select& select);
  // The types of the two values may still differ; `as_vectors` makes them vectors.
  Result<llvm::Value*> choose_one(llvm::Value* holds, llvm::Value* then, llvm::Value* otherwise,
                                  bool as_vectors);
  llvm::Value* choose(llvm::Value* holds, llvm::Value* then, llvm::Value* otherwise);
  Result<PointIndex> bound_at_point(const Bound& bound);
  Result<bool> is_zero(const Value& value);
  Result<llvm::Value*> emit_joined(Reducer reducer, llvm::Value* old, const Value& value);
  llvm::Value* joined(Reducer reducer, llvm::Value* old, llvm::Value* value);
  void unify(llvm::Value*& a, llvm::Value*& b);
  llvm::Value* splat(llvm::Value* value);
  Guard both(Guard a, Guard b);

  // access_emitter.cc: what is read and written, and through which pointers
  Result<llvm::Value*> emit_load(const Load& load, Guard guard);
  Result<int> storage_at(const std::string& name, const std::vector<IndexExpr>& indices) const;
  Result<const Access*> access_of(const void* key, const std::string& name,
                                  const std::vector<IndexExpr>& indices, bool is_load);
  void decide_launder(Access& access, const std::vector<IndexExpr>& indices);
  llvm::Value* laundered(llvm::Value* pointer, const Access& access);
  llvm::Value* load_from(const Storage& storage, llvm::Value* pointer, const PointIndex& at,
                         int64_t lane_stride, llvm::Value* mask);
  llvm::Value* masked_load(const Storage& storage, llvm::Type* type, llvm::Value* pointer,
                           llvm::Align alignment, llvm::Value* mask);
  llvm::Value* every_second(const Storage& storage, llvm::Value* pointer, const PointIndex& at);
  llvm::Value* computed(llvm::Value* stored, ElementType type);
  llvm::Value* stored_form(llvm::Value* value, const Storage& storage);
  llvm::Value* displaced(const Storage& storage, llvm::Value* pointer, int64_t elements);
  llvm::Value* guarded_pointer(const Access& access, llvm::Value* pointer, const PointIndex& at,
                               Guard guard);
  llvm::StoreInst* store_to(const Storage& storage, llvm::Value* pointer, const PointIndex& at,
                            llvm::Value* value);
  Result<void> make_streaming(llvm::StoreInst* stored, const Store& store);
  // The number of elements from the first lane's to the last lane's.
  int64_t span_of(const PointIndex& at) const {
    return 1 + (lanes_ - 1) * std::max<int64_t>(1, at.lane_stride);
  }
  Result<int64_t> lane_stride(const Access& access, const PointIndex& at, int64_t most) const;
  llvm::Align alignment_of(const Storage& storage, const PointIndex& at) const;
  template <typename Instruction>
  Instruction* annotate(Instruction* instruction, const Storage& storage) const {
    if (storage.alias_scope != nullptr) {
      instruction->setMetadata(llvm::LLVMContext::MD_alias_scope, storage.alias_scope);
      instruction->setMetadata(llvm::LLVMContext::MD_noalias, storage.no_alias);
    }
    return instruction;
  }

  const Program& program_;
  const Kernel& kernel_;
  const Target& target_;
  llvm::Module& module_;
  std::optional<DeviceForm> form_;  // none: a CPU's threads
  llvm::IRBuilder<> builder_;
  IndexEmitter index_;
  std::vector<Storage> storages_;  // buffers first, in the program's order
  std::map<std::string, int, std::less<>> storage_named_;
  std::optional<WarpLanes> warp_lanes_;
  struct PendingProducts {
    int storage = 0;           // the sums' tile
    bool is_open = false;      // the next one may follow the last one as it is
    bool is_in_batch = false;  // there is a group since the last barrier
  };
  std::optional<PendingProducts> pending_;
  bool has_group_products_ = false, has_async_copies_ = false;
  bool stores_to_local_ = false;  // work-items do, and not copies
  GroupCopies group_copies_;
  std::optional<Batches> batches_;
  std::map<const ScopedTile*, int> local_tiles_;  // numbers of their storages
  // By the address of the program's Load or Store.
  std::unordered_map<const void*, Access> accesses_;
  std::unordered_map<const void*, LinearIndex> bound_indices_;
  std::vector<const Loop*> loops_;  // enclosing the statement being emitted
  const Store* store_ = nullptr;    // the store being emitted
  int lanes_ = 1;                   // lanes of the enclosing vectorized loop, else 1
  llvm::Value* first_ = nullptr;
  llvm::Value* last_ = nullptr;
  // Loads of this straight-line code, by (pointer, displacement, lane stride, lanes, guard), per
  // storage; a store to the storage drops them. Vectorized loops of several widths can follow each
  // other without a loop that is counted around them, and read the same elements.
  using LoadKey = std::tuple<llvm::Value*, int64_t, int64_t, int, llvm::Value*>;
  std::map<int, std::map<LoadKey, llvm::Value*>> loaded_;
  struct Laundered {
    int64_t point = 0;
    llvm::Value* pointer = nullptr;
  };
  std::map<llvm::Value*, Laundered> laundered_;
  // By pointer, guard, and the lowest element of the loads that share the select.
  std::map<std::tuple<llvm::Value*, Guard, int64_t>, llvm::Value*> guarded_;
  struct TileStore {
    llvm::Value* value = nullptr;
    llvm::Value* pointer = nullptr;
  };
  bool streams_ = false;  // there was a non-temporal store
  // The last vector stored to a register tile in this straight-line code.
  TileStore last_sum_;
};

// The type of an element in memory.
llvm::Type* stored_type(llvm::IRBuilder<>& builder, ElementType type);

// Refuses programs that a CPU cannot run or that would take too long to compile.
Result<void> check_for_cpu(const Program& program);
// The same for a device of work-groups.
Result<void> check_for_work_groups(const Program& program, const Target& target);

}  // namespace dovetail::codegen
