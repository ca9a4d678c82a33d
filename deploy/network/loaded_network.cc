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
  std::unique_ptr<LoadedProgram> program;  // destroyed before the threads
};

namespace {

#if DOVETAIL_HAVE_LLVM
Result<std::unique_ptr<LoadedProgram>> load_objects(const Executable& network,
                                                    ThreadPool& threads) {
  auto objects = std::make_shared<std::vector<LoadedObject>>();
  for (const std::string& object : network.objects)
    objects->push_back(TRY(LoadedObject::load(object)));
  const auto find = [objects](const std::string& kernel) -> Result<CpuKernel> {
    for (const LoadedObject& object : *objects)
      if (const auto found = object.find(kernel)) return *found;
    return fail("no object has kernel {}", kernel);
  };
  return load_on_cpu({.kernels = network.launches}, find, threads);
}
#else
Result<std::unique_ptr<LoadedProgram>> load_objects(const Executable&, ThreadPool&) {
  return fail("this dovetail was built without LLVM: no code for cpu targets");
}
#endif

#if DOVETAIL_HAVE_OPENCL
Result<std::unique_ptr<LoadedProgram>> load_on_device(const Executable& network,
                                                      const NetworkProgram& held) {
  OpenclContext context = TRY(OpenclContext::open(network.target.name));
  Program buffers;
  for (const NetworkBuffer& one : held.buffers) buffers.buffers.push_back(one.buffer);
  const Artifact artifact{.bytes = TRY(context.binary(TRY(context.build(network.objects.front())))),
                          .kernels = network.launches,
                          .program = print(buffers)};
  auto program = TRY(LoadedOpenclProgram::load(artifact, std::move(context)));
  TRY(program->allocate());
  return std::unique_ptr<LoadedProgram>(std::move(program));
}
#else
Result<std::unique_ptr<LoadedProgram>> load_on_device(const Executable&, const NetworkProgram&) {
  return fail("this dovetail was built without OpenCL: no code for opencl targets");
}
#endif

}  // namespace

LoadedNetwork::LoadedNetwork() : device_(std::make_unique<Device>()) {}
LoadedNetwork::LoadedNetwork(LoadedNetwork&&) noexcept = default;
LoadedNetwork& LoadedNetwork::operator=(LoadedNetwork&&) noexcept = default;
LoadedNetwork::~LoadedNetwork() = default;

Result<LoadedNetwork> LoadedNetwork::load(NetworkParts parts, const std::vector<int>& cores,
                                          const ConstantsOfGraph& constants, StoreConstants when) {
  LoadedNetwork network;
  network.parts_ = std::make_unique<NetworkParts>(std::move(parts));
  network.packer_ = TRY(ConstantPacker::compile(network.program()));
  TRY(network.allocate());
  TRY(network.load_code(cores));
  network.parts_->program = without_bodies(std::move(network.parts_->program));
  const bool has_memory_of_its_own = network.parts_->executable.target.name.kind != TargetKind::cpu;
  if (when == StoreConstants::all || has_memory_of_its_own)
    for (size_t call = 0; call < network.program().calls.size(); ++call)
      TRY(network.store_constants(call, constants));
  TRY(network.device_->program->place(network.addresses_));
  if (!network.packer_) network.release_preparation();
  return network;
}

Result<void> LoadedNetwork::allocate() {
  arenas_.resize(plan().arenas.size());
  std::vector<std::byte*> starts(plan().arenas.size(), nullptr);
  for (size_t a = 0; a < starts.size(); ++a) {
    const NetworkArena& arena = plan().arenas[a];
    if (arena.bytes == 0) continue;
    // Weights are written before the first run, perhaps while the graph's are freed.
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
  size_t next = 0;
  for (const NetworkCall& call : program().calls) {
    const Program& own = program().programs[call.program];
    first_kernel_.push_back(next);
    next += own.kernels.size() - static_cast<size_t>(kernels_once(own));
  }
  first_kernel_.push_back(next);
  return {};
}

Result<void> LoadedNetwork::load_code(const std::vector<int>& cores) {
  Executable& network = parts_->executable;
  if (network.target.name.kind != TargetKind::cpu) {
    device_->program = TRY(load_on_device(network, program()));
    return {};
  }
  device_->threads = std::make_unique<ThreadPool>(cores);
  device_->program = TRY(load_objects(network, *device_->threads));
  network.objects.clear();  // loaded: never read again
  return {};
}

// Call by call, so that the inputs of one preparation can reuse the memory of another's.
Result<void> LoadedNetwork::store_constants(size_t call, const ConstantsOfGraph& constants) {
  if (call < packed_) return {};
  CHECK(call == packed_, "constants are stored in the order of calls");
  TRY(packer_->pack(program(), call, addresses_, constants));
  if (++packed_ < program().calls.size()) return {};
  packer_.reset();
  // On a device everything is still to be copied.
  if (parts_->executable.target.name.kind == TargetKind::cpu) release_preparation();
  return {};
}

void LoadedNetwork::release_preparation() {
  for (size_t a = 0; a < arenas_.size(); ++a)
    if (plan().arenas[a].use == NetworkMemory::preparation) arenas_[a] = HugePages();
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
