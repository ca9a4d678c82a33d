// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/emit/kernel_emitter.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/codegen/llvm/emit/transposition.h"
#include "core/codegen/llvm/emit/vector_math.h"
#include "core/ir/program/loop_range.h"
#include "core/ir/program/walk.h"

namespace dovetail::codegen {

constexpr unsigned kHostIndexBits = 64;

KernelEmitter::KernelEmitter(const Program& program, const Kernel& kernel, const Target& target,
                             llvm::Module& module, std::optional<DeviceForm> form)
    : program_(program),
      kernel_(kernel),
      target_(target),
      module_(module),
      form_(form),
      builder_(module.getContext()),
      index_(builder_, form ? form->index_bits : kHostIndexBits) {
  llvm::FastMathFlags flags;  // contraction only: NaN and the order of additions are preserved
  flags.setAllowContract(true);
  builder_.setFastMathFlags(flags);
}

Result<void> KernelEmitter::emit(const std::string& symbol, bool hidden) {
  llvm::Function* function = on_device() ? create_device_function(symbol) : create_function(symbol);
  if (hidden) function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  llvm::LLVMContext& context = module_.getContext();
  llvm::BasicBlock* entry = llvm::BasicBlock::Create(context, "entry", function);
  llvm::BasicBlock* start = llvm::BasicBlock::Create(context, "start", function);
  builder_.SetInsertPoint(entry);
  builder_.CreateBr(start);
  index_.begin(entry);
  declare_memory();
  builder_.SetInsertPoint(start);
  if (on_device()) begin_device_kernel();
  TRY(emit_block(kernel_.body));
  // Orders the non-temporal stores before the signal that the kernel is done.
  if (streams_ && target_.llvm_triple.starts_with("x86_64"))
    builder_.CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, {}, {});
  builder_.CreateRetVoid();
  return {};
}

namespace {

// Whether a register tile of the nest needs more vectors than there are registers.
bool has_tile_beyond_registers(const Block& block, const Target& target) {
  bool found = false;
  for_each_statement(block, [&](const Statement& statement) {
    const auto* tile = std::get_if<ScopedTile>(&statement.node);
    if (tile == nullptr || tile->scope != TileScope::registers) return;
    found = found || num_elements(tile->extents) >
                         int64_t{target.vector_registers} * vector_lanes(target, tile->type);
  });
  return found;
}

}  // namespace

llvm::Function* KernelEmitter::create_function(const std::string& symbol) {
  llvm::Type* pointer = builder_.getPtrTy();
  llvm::FunctionType* type = llvm::FunctionType::get(
      builder_.getVoidTy(), {pointer, builder_.getInt64Ty(), builder_.getInt64Ty()}, false);
  llvm::Function* function =
      llvm::Function::Create(type, llvm::Function::ExternalLinkage, symbol, module_);
  function->getArg(0)->setName("buffers");
  (first_ = function->getArg(1))->setName("first");
  (last_ = function->getArg(2))->setName("last");
  for (const auto kind :
       {llvm::Attribute::NoAlias, llvm::Attribute::NoCapture, llvm::Attribute::ReadOnly})
    function->addParamAttr(0, kind);
  describe_machine(*function);
  // Without it LLVM keeps the ABI's stack alignment, and a spilled vector crosses two cache lines.
  // It costs an address register, so only nests that spill get it.
  if (has_tile_beyond_registers(kernel_.body, target_)) function->addFnAttr("stackrealign");
  if (vector_lanes(target_) == 16) function->addFnAttr("prefer-vector-width", "512");
  function->addFnAttr(kLanesAttribute, std::to_string(vector_lanes(target_)));
  return function;
}

void KernelEmitter::describe_machine(llvm::Function& function) const {
  function.setDoesNotThrow();
  function.addFnAttr(llvm::Attribute::NoRecurse);
  function.addFnAttr(llvm::Attribute::WillReturn);
  function.addFnAttr(llvm::Attribute::MustProgress);
  function.addFnAttr("no-builtins");
  function.addFnAttr("frame-pointer", "none");
  function.addFnAttr("target-cpu", target_.llvm_cpu);
  function.addFnAttr("target-features", target_.llvm_features);
}

Result<void> KernelEmitter::emit_block(const Block& block) {
  for (const Statement& statement : block) {
    if (!std::holds_alternative<Loop>(statement.node)) close_products();
    if (const auto* barrier = std::get_if<Barrier>(&statement.node)) TRY(emit_barrier(*barrier));
    if (const auto* loop = std::get_if<Loop>(&statement.node)) TRY(emit_loop(*loop));
    if (const auto* tile = std::get_if<ScopedTile>(&statement.node)) declare_tile(*tile);
    if (const auto* store = std::get_if<Store>(&statement.node)) TRY(emit_store(*store));
  }
  return {};
}

Result<void> KernelEmitter::emit_loop(const Loop& loop) {
  const bool is_range = loop.kind == LoopKind::parallel && loops_.empty();
  loops_.push_back(&loop);
  Result<void> done;
  if (const auto copy = group_copies_.find(&loop); copy != group_copies_.end()) {
    done = emit_group_copy(copy->second);
  } else if (!loop.intrinsic.empty()) {
    done = emit_tensorized(loop);
  } else if (on_device()) {
    done = emit_device_loop(loop);
  } else if (loop.at) {
    done = emit_gather(loop);
  } else if (is_range) {
    done = emit_counted(loop, {first_, last_, /*may_be_empty=*/true});
  } else if (!loop.bounds.empty()) {
    const Span span = TRY(clipped(loop));
    done = emit_counted(loop, span);
  } else if (loop.kind == LoopKind::unrolled || loop.extent == 1) {
    done = emit_unrolled(loop);
  } else if (loop.kind == LoopKind::vectorized) {
    done = emit_lanes(loop);
  } else {
    done = emit_counted(loop, {index_.number(0), index_.number(loop.extent)});
  }
  loops_.pop_back();
  index_.unbind(loop.variable);
  return done;
}

// Stores a tile by columns where iterations of the unrolled loop are adjacent in memory and the
// lanes inside are far apart. Overlapping columns are left to the loops, whose order decides the
// last store.
Result<bool> KernelEmitter::emit_transposed(const Loop& loop) {
  const Store* store = tile_store(loop);
  if (store == nullptr) return false;
  const Loop& inner = std::get<Loop>(loop.body[0].node);
  if (loop.extent < 2 || inner.extent < 2) return false;
  const Access* access = TRY(access_of(store, store->target, store->indices, /*is_load=*/false));
  const int64_t along_lanes = index_.coefficient(access->index, inner.variable);
  const bool divides = std::ranges::any_of(access->index.opaque, [&](const auto& term) {
    return term.atom.inner->mentions(loop.variable);
  });
  if (std::abs(along_lanes) < loop.extent || divides ||
      index_.coefficient(access->index, loop.variable) != 1)
    return false;
  TRY(check_lane_order(inner));
  loops_.push_back(&inner);
  lanes_ = static_cast<int>(inner.extent);
  index_.bind_lane(inner.variable, inner.extent);
  std::vector<llvm::Value*> rows;
  store_ = store;
  for (int64_t row = 0; row < loop.extent; ++row) {
    index_.bind_constant(loop.variable, row);
    llvm::Value* value = TRY(emit_value(store->value, nullptr));
    value = converted(value, computed_type(storages_[access->storage].type));
    rows.push_back(value->getType()->isVectorTy() ? value : splat(value));
  }
  constexpr size_t kMaxRiffled = 4;  // rows; beyond, a transposition needs fewer shuffles
  if (along_lanes == loop.extent && rows.size() <= kMaxRiffled)
    TRY(store_columns(*store, *access, inner, riffled_rows(builder_, rows), lanes_));
  else
    TRY(store_columns(*store, *access, inner, transposed(builder_, rows), 1));
  lanes_ = 1;
  loops_.pop_back();
  index_.unbind(inner.variable);
  loaded_.erase(access->storage);
  return true;
}

Result<void> KernelEmitter::store_columns(const Store& store, const Access& access,
                                          const Loop& lanes,
                                          const std::vector<llvm::Value*>& columns, int64_t dense) {
  const Storage& storage = storages_[access.storage];
  index_.bind_constant(loops_[loops_.size() - 2]->variable, 0);
  lanes_ = llvm::cast<llvm::FixedVectorType>(columns[0]->getType())->getNumElements();
  for (size_t column = 0; column < columns.size(); ++column) {
    index_.bind_constant(lanes.variable, dense > 1 ? 0 : static_cast<int64_t>(column));
    PointIndex at = TRY(index_.at_point(access.index));
    if (dense > 1) at.constant += static_cast<int64_t>(column) * dense;
    llvm::StoreInst* stored =
        store_to(storage, pointer_to(access.storage, at), at, columns[column]);
    if (store.streaming) TRY(make_streaming(stored, store));
  }
  return {};
}

Result<void> KernelEmitter::emit_unrolled(const Loop& loop) {
  if (TRY(emit_transposed(loop)) || TRY(emit_side_by_side(loop))) return {};
  for (int64_t value = 0; value < loop.extent; ++value) {
    index_.bind_constant(loop.variable, value);
    TRY(emit_prefetches(loop));
    TRY(emit_block(loop.body));
  }
  return {};
}

Result<void> KernelEmitter::emit_lanes(const Loop& loop) {
  TRY(check_lane_order(loop));
  lanes_ = static_cast<int>(loop.extent);
  index_.bind_lane(loop.variable, loop.extent);
  const Result<void> done = emit_block(loop.body);
  lanes_ = 1;
  return done;
}

Result<KernelEmitter::Span> KernelEmitter::clipped(const Loop& loop) {
  Ranges outer;
  for (const Loop* around : loops_)
    if (around != &loop) outer[around->variable] = {0, around->extent - 1};
  const LoopRange range = loop_range(loop.variable, loop.extent, loop.bounds, outer);
  Span span;
  span.first = TRY(emit_limit(index_.number(range.start), range.first, llvm::Intrinsic::smax));
  span.last = TRY(emit_limit(index_.number(range.end), range.last, llvm::Intrinsic::smin));
  span.may_be_empty = range.may_be_empty;
  return span;
}

Result<llvm::Value*> KernelEmitter::emit_limit(llvm::Value* known,
                                               const std::vector<IndexExpr>& limits,
                                               unsigned choice) {
  for (const IndexExpr& limit : limits) {
    const PointIndex at = TRY(index_.at_point(index_.linear(limit)));
    known = builder_.CreateBinaryIntrinsic(choice, known, index_.value(at));
  }
  return known;
}

llvm::BasicBlock* KernelEmitter::new_block(const std::string& name) {
  return llvm::BasicBlock::Create(module_.getContext(), name,
                                  builder_.GetInsertBlock()->getParent());
}

// header: counter; body …; latch: counter + 1, branch back unless it is `last`. Only a loop that
// may be empty has a check before the first iteration.
Result<void> KernelEmitter::emit_counted(const Loop& loop, const Span& span) {
  const std::optional<int> running = running_into(loop);
  begin_rounds(running);
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* header = new_block(loop.variable);
  llvm::BasicBlock* body = new_block(loop.variable + ".body");
  llvm::BasicBlock* after = new_block(loop.variable + ".end");
  if (span.may_be_empty)
    builder_.CreateCondBr(builder_.CreateICmpSLT(span.first, span.last), header, after);
  else
    builder_.CreateBr(header);
  builder_.SetInsertPoint(header);
  llvm::PHINode* counter = builder_.CreatePHI(index_.type(), 2, loop.variable);
  counter->addIncoming(span.first, before);
  builder_.CreateBr(body);
  builder_.SetInsertPoint(body);

  TRY(emit_body(loop, counter, header, running.has_value()));
  llvm::Value* next =
      builder_.CreateAdd(counter, index_.number(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  counter->addIncoming(next, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateICmpEQ(next, span.last), after, header);
  builder_.SetInsertPoint(after);
  return {};
}

// One iteration, with an index read from data; the index is treated like a counter.
Result<void> KernelEmitter::emit_gather(const Loop& loop) {
  llvm::Value* named = converted(TRY(emit_value(*loop.at, nullptr)), ComputedType::integer);
  const auto last = static_cast<uint64_t>(loop.extent - 1);
  named = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, named, builder_.getInt64(0));
  named = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, named, builder_.getInt64(last));
  named = builder_.CreateTrunc(named, index_.type());
  llvm::BasicBlock* header = new_block(loop.variable);
  llvm::BasicBlock* body = new_block(loop.variable + ".body");
  builder_.CreateBr(header);
  builder_.SetInsertPoint(header);
  builder_.CreateBr(body);
  builder_.SetInsertPoint(body);
  return emit_body(loop, named, header);
}

// Not unrolled: the body is emitted once.
Result<void> KernelEmitter::emit_body(const Loop& loop, llvm::Value* counter,
                                      llvm::BasicBlock* header, bool products_run_on) {
  index_.enter_loop(loop.variable, loop.extent, counter, header);
  forget_loads();
  TRY(emit_prefetches(loop));
  TRY(emit_block(loop.body));
  close_products();
  if (!products_run_on) wait_for_products();
  forget_loads();
  index_.leave_loop();
  return {};
}

Result<void> KernelEmitter::emit_prefetches(const Loop& loop) {
  constexpr int64_t kLineBytes = 64;
  for (const Prefetch& prefetch : loop.prefetches) {
    const int number = TRY(storage_at(prefetch.buffer, prefetch.indices));
    if (storages_[number].is_tile)
      return fail("prefetch of {}, which is no buffer", prefetch.buffer);
    if (prefetch.lines > kMaxPrefetchedLines)
      return fail("prefetch of {} lines of {}, expected at most {}", prefetch.lines,
                  prefetch.buffer, kMaxPrefetchedLines);
    const PointIndex at =
        TRY(index_.at_point(index_.linear(prefetch.indices, storages_[number].extents)));
    llvm::Value* pointer = pointer_to(number, at);
    const Storage& storage = storages_[number];
    const int64_t line = kLineBytes / bytes_of(storage.type);
    for (int64_t k = 0; k < prefetch.lines; ++k) {
      llvm::Value* address = displaced(storage, pointer, at.constant + k * line);
      builder_.CreateIntrinsic(llvm::Intrinsic::prefetch, {address->getType()},
                               {address, builder_.getInt32(0),
                                builder_.getInt32(prefetch.far ? 2 : 3),  // temporal locality
                                builder_.getInt32(1)});                   // a read, of data
    }
  }
  return {};
}

void KernelEmitter::forget_loads() {
  loaded_.clear();
  laundered_.clear();
  guarded_.clear();
  last_sum_ = {};
}

}  // namespace dovetail::codegen
