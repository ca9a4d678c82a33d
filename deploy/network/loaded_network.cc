// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/loaded_network.h"

#include <cstring>

#include "core/backends/backends.h"
#include "core/base/check.h"
#include "core/base/fail.h"

namespace dovetail {
namespace {

NDArray view_of(const NDArray& arena, const Buffer& buffer, const ArenaPlace& place) {
  return NDArray::in(arena.memory(), buffer.dtype, physical_extents(buffer.layout), place.offset);
}

}  // namespace

LoadedNetwork::LoadedNetwork() = default;
LoadedNetwork::LoadedNetwork(LoadedNetwork&&) noexcept = default;
LoadedNetwork& LoadedNetwork::operator=(LoadedNetwork&&) noexcept = default;
LoadedNetwork::~LoadedNetwork() = default;

Result<LoadedNetwork> LoadedNetwork::load(NetworkParts parts, const std::vector<int>& cores,
                                          const ValuesOfTensor& constants, StoreConstants when) {
  LoadedNetwork network;
  network.parts_ = std::make_unique<NetworkParts>(std::move(parts));
  Executable& executable = network.parts_->executable;
  network.packer_ = TRY(ConstantPacker::compile(network.program()));
  network.device_ = TRY(open_device(executable.target, {cores}));
  TRY(network.allocate());
  network.code_ =
      TRY(network.device_->load(TRY(network.device_->build(std::move(executable.code)))));
  executable.code = {};  // loaded: never read again
  network.count_kernels();
  network.parts_->program = without_bodies(std::move(network.parts_->program));
  TRY(network.bind_buffers());
  if (when == StoreConstants::all || !network.device_->uses_host_memory())
    for (size_t call = 0; call < network.program().calls.size(); ++call)
      TRY(network.store_constants(call, constants));
  return network;
}

// Memory for the preparation of constants stays on the host. The pages of weights come as they are
// written, before the first run and perhaps while the graph's are freed; a workspace gets all of
// its pages now.
Result<NDArray> LoadedNetwork::allocate_arena(const NetworkArena& arena) {
  const bool is_for_device =
      arena.use != NetworkMemory::images && arena.use != NetworkMemory::preparation;
  if (arena.bytes == 0 || !(is_for_device || device_->uses_host_memory())) return NDArray();
  NDArray memory = TRY(device_->allocate(ElementType::u8, {arena.bytes}));
  if (memory.is_on_host() && !is_packed(arena.use))
    std::memset(memory.writable_bytes().data(), 0, memory.writable_bytes().size());
  return memory;
}

Result<void> LoadedNetwork::allocate() {
  for (const NetworkArena& arena : plan().arenas) {
    arenas_.push_back(TRY(allocate_arena(arena)));
    const bool is_here = device_->uses_host_memory() || !is_packed(arena.use) || arena.bytes == 0;
    host_arenas_.push_back(is_here ? arenas_.back()
                                   : NDArray::zeros(ElementType::u8, {arena.bytes}));
  }
  for (size_t b = 0; b < program().buffers.size(); ++b) {
    const ArenaPlace& place = plan().places[b];
    const bool packs = is_packed(plan().arenas[place.arena].use);
    packed_at_.push_back(packs ? host_arenas_[place.arena].writable_bytes().data() + place.offset
                               : nullptr);
  }
  return {};
}

void LoadedNetwork::count_kernels() {
  size_t next = 0;
  for (const NetworkCall& call : program().calls) {
    const Program& own = program().programs[call.program];
    first_kernel_.push_back(next);
    next += own.kernels.size() - static_cast<size_t>(preparing_kernels(own));
  }
  first_kernel_.push_back(next);
}

// A launch names buffers that only preparations read, too; it does not access them.
Result<void> LoadedNetwork::bind_buffers() {
  for (size_t b = 0; b < program().buffers.size(); ++b) {
    const Buffer& buffer = program().buffers[b].buffer;
    const ArenaPlace& place = plan().places[b];
    if (is_texture(buffer.layout.scope))
      buffers_.push_back(TRY(
          device_->allocate(buffer.dtype, physical_extents(buffer.layout), buffer.layout.scope)));
    else
      buffers_.push_back(view_of(arenas_[place.arena], buffer, place));
  }
  return code_->bind(buffers_);
}

// Call by call, so that the inputs of one preparation can reuse the memory of another's.
Result<void> LoadedNetwork::store_constants(size_t call, const ValuesOfTensor& constants) {
  if (call < packed_) return {};
  CHECK(call == packed_, "constants are stored in the order of calls");
  TRY(packer_->pack(program(), call, packed_at_, constants));
  if (++packed_ < program().calls.size()) return {};
  return finish_constants();
}

Result<void> LoadedNetwork::finish_constants() {
  packer_.reset();
  if (!device_->uses_host_memory())
    for (size_t b = 0; b < buffers_.size(); ++b) {
      const ArenaPlace& place = plan().places[b];
      if (plan().arenas[place.arena].use == NetworkMemory::constants)
        TRY(device_->copy(view_of(host_arenas_[place.arena], program().buffers[b].buffer, place),
                          buffers_[b]));
    }
  host_arenas_.clear();
  packed_at_.clear();
  for (size_t a = 0; a < arenas_.size(); ++a)
    if (plan().arenas[a].use == NetworkMemory::preparation) arenas_[a] = NDArray();
  for (size_t b = 0; b < buffers_.size(); ++b)
    if (use_of(plan(), b) == NetworkMemory::preparation) buffers_[b] = NDArray();
  return code_->bind(buffers_);
}

Result<void> LoadedNetwork::write(size_t buffer, const ArrayView& logical) {
  const Buffer& held = program().buffers[buffer].buffer;
  const NDArray& own = buffers_[buffer];
  const NDArray host = own.is_on_host() ? own : NDArray::zeros(own.type(), own.shape());
  store_values(held, logical, host.writable_bytes());
  return own.is_on_host() ? Result<void>() : device_->copy(host, own);
}

Result<NDArray> LoadedNetwork::read(size_t buffer) {
  const NDArray& own = buffers_[buffer];
  if (own.is_on_host()) return own;
  const NDArray host = NDArray::zeros(own.type(), own.shape());
  TRY(device_->copy(own, host));
  return host;
}

Result<double> LoadedNetwork::run(int64_t repetitions) {
  return code_->run(0, first_kernel_.back(), repetitions);
}

Result<double> LoadedNetwork::run_kernel(size_t kernel) { return code_->run(kernel, kernel + 1); }

Result<double> LoadedNetwork::run_call(size_t call) {
  return code_->run(first_kernel_[call], first_kernel_[call + 1]);
}

}  // namespace dovetail
