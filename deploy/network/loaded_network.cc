// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/loaded_network.h"

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/ir/program/buffer_values.h"
#include "core/runtime/loaded_opencl_program.h"
#include "core/runtime/thread_pool.h"
#if DOVETAIL_HAVE_LLVM
#include "core/codegen/llvm/loader.h"
#endif

namespace dovetail {

struct LoadedNetwork::Device {
  std::unique_ptr<ThreadPool> threads;     // cpu
  std::unique_ptr<LoadedProgram> program;  // goes first
};

namespace {

#if DOVETAIL_HAVE_LLVM
Result<std::unique_ptr<LoadedProgram>> load_objects(const NetworkCode& code, ThreadPool& threads) {
  auto objects = std::make_shared<std::vector<LoadedObject>>();
  for (const std::string& object : code.objects)
    objects->push_back(TRY(LoadedObject::load(object)));
  const auto find = [objects](const std::string& kernel) -> Result<CpuKernel> {
    for (const LoadedObject& object : *objects)
      if (const auto found = object.find(kernel)) return *found;
    return fail("no object has kernel {}", kernel);
  };
  return load_on_cpu(code.artifact, find, threads);
}
#else
Result<std::unique_ptr<LoadedProgram>> load_objects(const NetworkCode&, ThreadPool&) {
  return fail("this dovetail was built without LLVM: no code for cpu targets");
}
#endif

#if DOVETAIL_HAVE_OPENCL
Result<std::unique_ptr<LoadedProgram>> load_on_device(const NetworkCode& code,
                                                      const Target& target) {
  auto program =
      TRY(LoadedOpenclProgram::load(code.artifact, TRY(OpenclContext::open(target.name))));
  TRY(program->allocate());
  return std::unique_ptr<LoadedProgram>(std::move(program));
}
#else
Result<std::unique_ptr<LoadedProgram>> load_on_device(const NetworkCode&, const Target&) {
  return fail("this dovetail was built without OpenCL: no code for opencl targets");
}
#endif

}  // namespace

LoadedNetwork::LoadedNetwork() : device_(std::make_unique<Device>()) {}
LoadedNetwork::LoadedNetwork(LoadedNetwork&&) noexcept = default;
LoadedNetwork& LoadedNetwork::operator=(LoadedNetwork&&) noexcept = default;
LoadedNetwork::~LoadedNetwork() = default;

Result<LoadedNetwork> LoadedNetwork::load(NetworkParts parts, const Target& target,
                                          const std::vector<int>& cores,
                                          const ConstantsOfGraph& constants, StoreConstants when) {
  LoadedNetwork network;
  network.parts_ = std::make_unique<NetworkParts>(std::move(parts));
  TRY(network.allocate());
  TRY(network.load_code(target, cores));
  TRY(network.device_->program->place(network.addresses_));
  network.parts_->program = without_bodies(std::move(network.parts_->program));
  if (when == StoreConstants::all || target.name.kind != TargetKind::cpu)
    for (size_t call = 0; call < network.program().calls.size(); ++call)
      TRY(network.store_constants(call, constants));
  return network;
}

Result<void> LoadedNetwork::allocate() {
  arenas_.resize(plan().arenas.size());
  std::vector<std::byte*> starts(plan().arenas.size(), nullptr);
  for (size_t a = 0; a < starts.size(); ++a) {
    const NetworkArena& arena = plan().arenas[a];
    if (arena.bytes == 0) continue;
    // Weights are written before the first run, perhaps while the graph's own go.
    const bool is_written = arena.use == NetworkMemory::constants;
    starts[a] = TRY(arenas_[a].at_least(static_cast<uint64_t>(arena.bytes),
                                        is_written ? PagesCome::when_written : PagesCome::at_once))
                    .data();
  }
  for (size_t b = 0; b < program().buffers.size(); ++b) {
    const ArenaPlace& place = plan().places[b];
    addresses_.push_back(starts[place.arena] + place.offset);
    if (program().buffers[b].buffer.role == BufferRole::activation) inputs_.push_back(b);
  }
  stored_.resize(program().buffers.size(), false);
  size_t next = 0, next_once = 0;
  for (const NetworkCall& call : program().calls) {
    const Program& own = program().programs[call.program];
    const auto once = static_cast<size_t>(kernels_once(own));
    first_kernel_.push_back(next);
    first_once_.push_back(next_once);
    next += own.kernels.size() - once;
    next_once += once;
  }
  first_kernel_.push_back(next);
  first_once_.push_back(next_once);
  return {};
}

Result<void> LoadedNetwork::load_code(const Target& target, const std::vector<int>& cores) {
  if (target.name.kind != TargetKind::cpu) {
    device_->program = TRY(load_on_device(parts_->code, target));
    return {};
  }
  device_->threads = std::make_unique<ThreadPool>(cores);
  device_->program = TRY(load_objects(parts_->code, *device_->threads));
  parts_->code.objects.clear();  // loaded: nobody reads them again
  return {};
}

// Call by call, so that what one preparation reads lies where that of another one did.
Result<void> LoadedNetwork::store_constants(size_t call, const ConstantsOfGraph& constants) {
  if (call < prepared_) return {};
  CHECK(call == prepared_, "constants are stored in the order of calls");
  for (const size_t b : program().calls[call].buffers) TRY(store_constant(b, constants));
  TRY(device_->program->prepare_part(first_once_[call], first_once_[call + 1]));
  if (++prepared_ < program().calls.size()) return {};
  for (size_t a = 0; a < arenas_.size(); ++a)
    if (plan().arenas[a].use == NetworkMemory::preparation) arenas_[a] = HugePages();
  return {};
}

Result<void> LoadedNetwork::store_constant(size_t b, const ConstantsOfGraph& constants) {
  const NetworkBuffer& held = program().buffers[b];
  if (held.buffer.role != BufferRole::constant || stored_[b]) return {};
  Buffer named = held.buffer;
  named.tensor = held.tensors[0];
  for (size_t g = 0; g < named.layout.guests.size(); ++g)
    named.layout.guests[g].tensor = held.tensors[g + 1];
  const LogicalValues values = TRY(logical_values(named, constants));
  if (std::ssize(values.all) != logical_elements(named.layout))
    return fail("constant {} has {} numbers; expected {}", named.tensor, values.all.size(),
                logical_elements(named.layout));
  store_values(named, values.all, bytes(b));
  stored_[b] = true;
  return device_->program->give_buffer(b);
}

std::span<std::byte> LoadedNetwork::bytes(size_t buffer) const {
  return {static_cast<std::byte*>(addresses_[buffer]),
          static_cast<size_t>(buffer_bytes(program().buffers[buffer].buffer))};
}

Result<void> LoadedNetwork::give_inputs() {
  for (const size_t b : inputs_) TRY(device_->program->give_buffer(b));
  return {};
}

Result<double> LoadedNetwork::run(int64_t repetitions) {
  TRY(give_inputs());
  const double seconds = TRY(device_->program->run(repetitions));
  TRY(device_->program->fetch());
  return seconds;
}

Result<double> LoadedNetwork::run_kernel(size_t kernel) {
  return device_->program->run_part(kernel, kernel + 1);
}

Result<double> LoadedNetwork::run_call(size_t call) {
  const double seconds =
      TRY(device_->program->run_part(first_kernel_[call], first_kernel_[call + 1]));
  const NetworkCall& made = program().calls[call];
  const Program& own = program().programs[made.program];
  for (size_t b = 0; b < made.buffers.size(); ++b)
    if (own.buffers[b].role == BufferRole::output)
      TRY(device_->program->fetch_buffer(made.buffers[b]));
  return seconds;
}

}  // namespace dovetail
