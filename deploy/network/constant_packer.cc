// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/constant_packer.h"

#include <utility>

#include "core/base/fail.h"
#include "core/base/parallel.h"
#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/cpu_target.h"
#include "core/codegen/llvm/loader.h"
#include "core/runtime/thread_pool.h"

namespace dovetail {
namespace {

struct PreparingKernel {
  CpuKernel function = nullptr;
  int64_t extent = 1;
};

// Runs a device's work-items one after the other, which is valid as no kernel that prepares
// constants has a barrier. Non-temporal stores, which need a target's own vectors, become plain
// ones.
void run_in_order(Block& block) {
  for (Statement& statement : block) {
    if (auto* store = std::get_if<Store>(&statement.node)) store->streaming = false;
    auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) continue;
    if (loop->kind == LoopKind::bound) loop->kind = LoopKind::serial;
    run_in_order(loop->body);
  }
}

// The kernels that prepare constants, for a CPU: an image becomes a buffer with the bytes of its
// layout.
Program once_on_cpu(const Program& program) {
  Program once = program;
  std::erase_if(once.kernels, [](const Kernel& kernel) { return !kernel.prepares; });
  for (Kernel& kernel : once.kernels) run_in_order(kernel.body);
  for (Buffer& buffer : once.buffers) buffer.layout.scope = MemoryScope::global;
  return once;
}

}  // namespace

struct ConstantPacker::Code {
  std::vector<LoadedObject> objects;
  std::vector<std::vector<PreparingKernel>> kernels;  // by program
};

Result<ConstantPacker> ConstantPacker::compile(const NetworkProgram& network) {
  ConstantPacker packer;
  packer.stored_.resize(network.buffers.size(), false);
  packer.code_->kernels.resize(network.programs.size());
  std::vector<std::optional<LoadedObject>> objects(network.programs.size());
  TRY(try_each_in_parallel(network.programs.size(), [&](size_t p) -> Result<void> {
    const Program once = once_on_cpu(network.programs[p]);
    if (once.kernels.empty()) return {};
    const Target target = TRY(least_target_here());
    const CpuObject object = TRY(compile_cpu(once, target));
    objects[p] = TRY(LoadedObject::load(object.bytes));
    for (size_t k = 0; k < object.kernels.size(); ++k)
      packer.code_->kernels[p].push_back(
          {TRY(objects[p]->find(object.kernels[k])), object.parallel_extents[k]});
    return {};
  }));
  for (std::optional<LoadedObject>& object : objects)
    if (object) packer.code_->objects.push_back(*std::move(object));
  return packer;
}

ConstantPacker::ConstantPacker() : code_(std::make_unique<Code>()) {}
ConstantPacker::ConstantPacker(ConstantPacker&&) noexcept = default;
ConstantPacker& ConstantPacker::operator=(ConstantPacker&&) noexcept = default;
ConstantPacker::~ConstantPacker() = default;

namespace {

Result<void> store_constant(const NetworkBuffer& held, void* address,
                            const ValuesOfTensor& constants) {
  Buffer named = held.buffer;
  named.tensor = held.tensors[0];
  for (size_t g = 0; g < named.layout.guests.size(); ++g)
    named.layout.guests[g].tensor = held.tensors[g + 1];
  const NDArray values = TRY(logical_values(named, constants));
  if (std::ssize(values) != logical_elements(named.layout))
    return fail("constant {} has {} numbers; expected {}", named.tensor, values.size(),
                logical_elements(named.layout));
  store_values(named, values,
               {static_cast<std::byte*>(address), static_cast<size_t>(buffer_bytes(named))});
  return {};
}

}  // namespace

Result<void> ConstantPacker::pack(const NetworkProgram& network, size_t call,
                                  std::span<void* const> addresses,
                                  const ValuesOfTensor& constants) {
  const NetworkCall& packed = network.calls[call];
  std::vector<void*> table;
  for (const size_t b : packed.buffers) {
    table.push_back(addresses[b]);
    if (network.buffers[b].buffer.role != BufferRole::constant || stored_[b]) continue;
    TRY(store_constant(network.buffers[b], addresses[b], constants));
    stored_[b] = true;
  }
  for (const PreparingKernel& kernel : code_->kernels[packed.program])
    kernel.function(table.data(), 0, kernel.extent);
  return {};
}

}  // namespace dovetail
