// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/link_network.h"

#include <algorithm>
#include <utility>

#include "core/base/fail.h"
#include "core/ir/layout/image_shape.h"
#include "core/ir/layout/normal_form.h"
#include "core/runtime/huge_pages.h"
#include "deploy/network/constant_packer.h"

namespace dovetail {
namespace {

bool is_kept(NetworkMemory use) {
  return use == NetworkMemory::workspace || use == NetworkMemory::constants;
}

std::vector<Arena> arenas_of(const NetworkPlan& plan) {
  std::vector<Arena> arenas;
  for (const NetworkArena& arena : plan.arenas)
    if (is_kept(arena.use))
      arenas.push_back(
          {.name = arena.name,
           .use = arena.use == NetworkMemory::constants ? ArenaUse::constants : ArenaUse::workspace,
           .bytes = arena.bytes,
           .alignment = arena.alignment,
           .lower_bound_bytes = arena.lower_bound_bytes});
  return arenas;
}

bool is_boundary(const Buffer& buffer) {
  return buffer.role == BufferRole::activation || buffer.role == BufferRole::output;
}

Result<std::vector<ExecutableBuffer>> buffers_of(const NetworkProgram& network,
                                                 const NetworkPlan& plan) {
  std::vector<ExecutableBuffer> buffers;
  for (size_t b = 0; b < network.buffers.size(); ++b) {
    const Buffer& buffer = network.buffers[b].buffer;
    ExecutableBuffer& made = buffers.emplace_back(executable_buffer(buffer));
    if (is_texture(made.scope)) TRY(image_shape(buffer.layout));
    if (!is_boundary(buffer) && is_kept(use_of(plan, b))) made.place = plan.places[b];
  }
  return buffers;
}

// Each output of the graph has its own buffer, even where two outputs are one tensor.
class BoundaryOf {
 public:
  BoundaryOf(const Graph& graph, const NetworkProgram& network, const NetworkPlan& plan)
      : graph_(graph), network_(network), plan_(plan), taken_(network.buffers.size(), false) {}

  Result<std::vector<ExecutableTensor>> tensors(const std::vector<TensorId>& ids, BufferRole role) {
    std::vector<ExecutableTensor> found;
    for (const TensorId id : ids)
      if (std::optional<ExecutableTensor> held =
              TRY(tensor(graph_.tensors[static_cast<size_t>(id)], role)))
        found.push_back(*std::move(held));
    return found;
  }

 private:
  // Nothing for a tensor without elements, which has no buffer.
  Result<std::optional<ExecutableTensor>> tensor(const GraphTensor& tensor, BufferRole role) {
    for (size_t b = 0; b < network_.buffers.size(); ++b) {
      const NetworkBuffer& held = network_.buffers[b];
      if (taken_[b] || held.buffer.role != role || held.tensors[0] != tensor.name) continue;
      taken_[b] = true;
      if (normal_form(held.buffer.layout) != row_major_form(held.buffer.layout.logical))
        return fail("{} is stored as {}; expected it row-major", tensor.name,
                    print(held.buffer.layout, held.buffer.name));
      const bool is_inside = use_of(plan_, b) == NetworkMemory::workspace;
      return std::optional(
          ExecutableTensor{.name = tensor.name,
                           .type = held.buffer.dtype,
                           .shape = tensor.shape.value_or(std::vector<int64_t>()),
                           .buffer = b,
                           .place = is_inside ? std::optional(plan_.places[b]) : std::nullopt});
    }
    if (num_elements(tensor.shape.value_or(std::vector<int64_t>())) == 0)
      return std::optional<ExecutableTensor>();
    return fail("the network does not hold {}", tensor.name);
  }

  const Graph& graph_;
  const NetworkProgram& network_;
  const NetworkPlan& plan_;
  std::vector<bool> taken_;
};

}  // namespace

Result<Executable> link_network(const Graph& graph, const NetworkProgram& network,
                                const NetworkPlan& plan, NetworkCode code, const Target& target) {
  Executable linked;
  linked.name = network.name;
  linked.target = target;
  linked.arenas = arenas_of(plan);
  linked.buffers = TRY(buffers_of(network, plan));
  linked.code = std::move(code.code);
  BoundaryOf boundary(graph, network, plan);
  linked.inputs = TRY(boundary.tensors(graph.inputs, BufferRole::activation));
  linked.outputs = TRY(boundary.tensors(graph.outputs, BufferRole::output));
  return linked;
}

Result<void> pack_constants(const NetworkProgram& network, const NetworkPlan& plan,
                            const ValuesOfTensor& constants, Executable& executable) {
  ConstantPacker packer = TRY(ConstantPacker::compile(network));
  std::vector<HugePages> memory(plan.arenas.size());
  std::vector<std::span<std::byte>> bytes(plan.arenas.size());
  for (size_t a = 0; a < memory.size(); ++a)
    if (is_packed(plan.arenas[a].use) && plan.arenas[a].bytes > 0)
      bytes[a] = TRY(memory[a].at_least(static_cast<uint64_t>(plan.arenas[a].bytes)))
                     .first(static_cast<size_t>(plan.arenas[a].bytes));
  std::vector<void*> addresses(network.buffers.size(), nullptr);
  for (size_t b = 0; b < addresses.size(); ++b)
    if (const ArenaPlace& place = plan.places[b]; is_packed(plan.arenas[place.arena].use))
      addresses[b] = bytes[place.arena].data() + place.offset;
  for (size_t call = 0; call < network.calls.size(); ++call)
    TRY(packer.pack(network, call, addresses, constants));
  executable.constants.resize(executable.arenas.size());
  for (size_t a = 0; a < executable.arenas.size(); ++a)
    if (executable.arenas[a].use == ArenaUse::constants)
      executable.constants[a].assign(bytes[a].begin(), bytes[a].end());
  return {};
}

}  // namespace dovetail
