// SPDX-License-Identifier: Apache-2.0
//
// Kernels of a device of work-groups, in the terms of LLVM's back end for NVIDIA.
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>
#include <bit>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/codegen/llvm/emit/device/group_spelling.h"
#include "core/codegen/llvm/emit/kernel_emitter.h"
#include "core/ir/operator/operator.h"
#include "core/ir/program/walk.h"
#include "core/ir/value/walk.h"

namespace dovetail::codegen {
namespace {

// Facts of a kernel that the back end reads and that are no property of a function to LLVM.
void annotate_kernel(llvm::Function& function, const std::array<int64_t, 3>& threads) {
  llvm::LLVMContext& context = function.getContext();
  llvm::Type* word = llvm::Type::getInt32Ty(context);
  std::vector<llvm::Metadata*> operands = {llvm::ValueAsMetadata::get(&function)};
  const auto add = [&](const char* key, uint64_t value) {
    operands.push_back(llvm::MDString::get(context, key));
    operands.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(word, value)));
  };
  add("kernel", 1);
  const std::array keys = {"reqntidx", "reqntidy", "reqntidz"};
  for (size_t axis = 0; axis < keys.size(); ++axis)
    add(keys[axis], static_cast<uint64_t>(threads[axis]));
  function.getParent()
      ->getOrInsertNamedMetadata("nvvm.annotations")
      ->addOperand(llvm::MDNode::get(context, operands));
}

llvm::Intrinsic::ID number_along(int dimension, bool is_thread) {
  constexpr std::array kThreads = {llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x,
                                   llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                   llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z};
  constexpr std::array kGroups = {llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                  llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                  llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
  return (is_thread ? kThreads : kGroups)[static_cast<size_t>(dimension)];
}

}  // namespace

llvm::Function* KernelEmitter::create_device_function(const std::string& symbol) {
  std::vector<llvm::Type*> arguments(form_->buffers.size(), builder_.getPtrTy(kGlobalSpace));
  llvm::FunctionType* type = llvm::FunctionType::get(builder_.getVoidTy(), arguments, false);
  llvm::Function* function =
      llvm::Function::Create(type, llvm::Function::ExternalLinkage, symbol, module_);
  function->setCallingConv(llvm::CallingConv::PTX_Kernel);
  const Uses uses = uses_of(kernel_.body);
  for (unsigned i = 0; i < arguments.size(); ++i) {
    const Buffer& buffer = program_.buffers[static_cast<size_t>(form_->buffers[i])];
    function->getArg(i)->setName(buffer.name);
    for (const auto kind : {llvm::Attribute::NoAlias, llvm::Attribute::NoCapture})
      function->addParamAttr(i, kind);
    function->addParamAttr(
        i, llvm::Attribute::getWithAlignment(module_.getContext(), llvm::Align(kBufferAlignment)));
    if (!uses.at(buffer.name).written) function->addParamAttr(i, llvm::Attribute::ReadOnly);
  }
  describe_machine(*function);
  annotate_kernel(*function, form_->geometry.threads);
  return function;
}

void KernelEmitter::begin_device_kernel() {
  find_group_copies();
  has_group_products_ = has_group_products();
  has_async_copies_ = has_async_copies();
  for_each_store(kernel_.body, [&](const Store& store) {
    const bool is_local = std::ranges::any_of(
        local_tiles_, [&](const auto& tile) { return tile.first->name == store.target; });
    stores_to_local_ = stores_to_local_ || (is_local && !is_copied_by_the_group(store));
  });
  begin_group_copies();
}

Result<void> KernelEmitter::emit_device_loop(const Loop& loop) {
  if (loop.at) return emit_gather(loop);
  const LoopForm form = form_of(loop, form_->geometry);
  switch (form) {
    case LoopForm::constant:
    case LoopForm::unrolled: return emit_written_out(loop);
    case LoopForm::vectorized:
      return TRY(lies_side_by_side(loop)) ? emit_lanes(loop) : emit_written_out(loop);
    case LoopForm::group:
    case LoopForm::thread: return emit_distributed(loop, form == LoopForm::thread);
    case LoopForm::serial: break;
  }
  if (loop.bounds.empty())
    return emit_counted(loop, {index_.number(0), index_.number(loop.extent)});
  return emit_counted(loop, TRY(clipped(loop)));
}

Result<void> KernelEmitter::emit_written_out(const Loop& loop) {
  for (int64_t value = 0; value < loop.extent; ++value) {
    index_.bind_constant(loop.variable, value);
    TRY(emit_block(loop.body));
  }
  return {};
}

// True if each lane of the loop reads and stores the element after the one before it, or all lanes
// read one element, under conditions that hold for all lanes or none.
Result<bool> KernelEmitter::lies_side_by_side(const Loop& loop) {
  constexpr uint64_t kMostLanes = 16;
  const auto lanes = static_cast<uint64_t>(loop.extent);
  if (lanes > kMostLanes || !std::has_single_bit(lanes) || !check_lane_order(loop)) return false;
  index_.bind_lane(loop.variable, loop.extent);
  for (const Statement& statement : loop.body)
    if (!TRY(lies_side_by_side(std::get<Store>(statement.node)))) return false;
  return true;
}

Result<bool> KernelEmitter::lies_side_by_side(const Store& store) {
  const auto stride = [&](const void* key, const std::string& name,
                          const std::vector<IndexExpr>& indices) -> Result<int64_t> {
    const Access* access = TRY(access_of(key, name, indices, /*is_load=*/false));
    return TRY(index_.at_point(access->index)).lane_stride;
  };
  // An index that divides the lanes by something is no step from lane to lane.
  const auto is_apart = [&](const Value& node) {
    if (const auto* load = node.as<Load>()) {
      const Result<int64_t> step = stride(load, load->buffer, load->indices);
      return !step || (*step != 0 && *step != 1);
    }
    const auto* select = node.as<Select>();
    return select != nullptr && std::ranges::any_of(select->bounds, [&](const Bound& bound) {
             const Result<PointIndex> at = bound_at_point(bound);
             return !at || at->lane_stride != 0;
           });
  };
  const Result<int64_t> stored = stride(&store, store.target, store.indices);
  if (!stored || *stored != 1) return false;
  return !any_node(store.value, is_apart);
}

// The body once, at the number that the device gives.
Result<void> KernelEmitter::emit_distributed(const Loop& loop, bool is_thread) {
  llvm::CallInst* number =
      builder_.CreateIntrinsic(number_along(dimension_of(loop), is_thread), {}, {});
  llvm::Metadata* range[] = {
      llvm::ConstantAsMetadata::get(builder_.getInt32(0)),
      llvm::ConstantAsMetadata::get(builder_.getInt32(static_cast<uint32_t>(loop.extent)))};
  number->setMetadata(llvm::LLVMContext::MD_range, llvm::MDNode::get(module_.getContext(), range));
  llvm::Value* counter = builder_.CreateZExt(number, index_.type(), loop.variable);
  llvm::BasicBlock* header = builder_.GetInsertBlock();
  llvm::BasicBlock* body = new_block(loop.variable + ".body");
  builder_.CreateBr(body);
  builder_.SetInsertPoint(body);
  return emit_body(loop, counter, header);
}

Result<void> KernelEmitter::emit_barrier(const Barrier& barrier) {
  CHECK(on_device(), "a CPU's kernel has no barrier");
  wait_for_group_copies(barrier.leaving);
  if (has_async_copies_) wait_for_copies(barrier.leaving);
  wait_for_products(barrier.products);
  if (has_group_products_ && stores_to_local_) order_stores_before_products();
  builder_.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier0, {}, {});
  forget_loads();
  return {};
}

// In the memory that work-items of a group share.
llvm::GlobalVariable* KernelEmitter::group_array(llvm::Type* element, int64_t elements,
                                                 const std::string& name, int64_t alignment) {
  llvm::Type* type = llvm::ArrayType::get(element, static_cast<uint64_t>(elements));
  auto* array = new llvm::GlobalVariable(
      module_, type, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
      llvm::UndefValue::get(type), kernel_.name + "." + name, /*InsertBefore=*/nullptr,
      llvm::GlobalValue::NotThreadLocal, kSharedSpace);
  array->setAlignment(llvm::Align(static_cast<uint64_t>(alignment)));
  return array;
}

void KernelEmitter::declare_local_tile(const ScopedTile& tile) {
  Storage storage;
  storage.name = tile.name;
  storage.is_tile = true;
  storage.extents = tile.extents;
  storage.elements = num_elements(tile.extents);
  storage.type = tile.type;
  storage.element = stored_type(builder_, tile.type);
  storage.base = group_array(storage.element, storage.elements, tile.name, kBufferAlignment);
  local_tiles_[&tile] = storage_named_[tile.name] = static_cast<int>(storages_.size());
  storages_.push_back(std::move(storage));
}

}  // namespace dovetail::codegen
