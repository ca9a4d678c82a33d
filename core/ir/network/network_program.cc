// SPDX-License-Identifier: Apache-2.0
#include "core/ir/network/network_program.h"

#include <algorithm>

#include "core/base/fail.h"

namespace dovetail {
namespace {

int64_t repeated(const Program& program) {
  return std::ssize(program.kernels) - preparing_kernels(program);
}

// True if a program's buffer of role `inside` may be a network's buffer of role `outside`.
bool suits(BufferRole inside, BufferRole outside) {
  switch (inside) {
    case BufferRole::activation:
      return outside != BufferRole::prepared;  // an operator's activation may be a constant
    case BufferRole::constant: return outside == BufferRole::constant;
    case BufferRole::output:
      return outside == BufferRole::output || outside == BufferRole::temporary;
    case BufferRole::temporary: return outside == BufferRole::temporary;
    case BufferRole::prepared: return outside == BufferRole::prepared;
  }
  return false;
}

class NetworkCheck {
 public:
  explicit NetworkCheck(const NetworkProgram& network) : network_(network) {
    for (const NetworkBuffer& held : network.buffers)
      written_.push_back(is_input(held.buffer.role));
  }

  Result<void> check() {
    for (const Program& program : network_.programs) TRY(verify(program));
    for (const NetworkCall& call : network_.calls) TRY(check_call(call));
    for (size_t b = 0; b < written_.size(); ++b) {
      const Buffer& buffer = network_.buffers[b].buffer;
      if (buffer.role == BufferRole::output && !written_[b])
        return fail("no call writes output {}", buffer.name);
    }
    return {};
  }

 private:
  Result<void> check_call(const NetworkCall& call) {
    if (call.program >= network_.programs.size())
      return fail("call {} runs program {}; expected one below {}", call.name, call.program,
                  network_.programs.size());
    const Program& program = network_.programs[call.program];
    if (call.buffers.size() != program.buffers.size())
      return fail("call {} has {} buffers; expected {}", call.name, call.buffers.size(),
                  program.buffers.size());
    for (size_t b = 0; b < call.buffers.size(); ++b)
      TRY(check_buffer(call, program.buffers[b], call.buffers[b]));
    return {};
  }

  Result<void> check_buffer(const NetworkCall& call, const Buffer& inside, size_t number) {
    if (number >= network_.buffers.size())
      return fail("call {} has buffer {}; expected one below {}", call.name, number,
                  network_.buffers.size());
    const Buffer& outside = network_.buffers[number].buffer;
    if (buffer_bytes(inside) != buffer_bytes(outside) || inside.dtype != outside.dtype)
      return fail("call {}: {} bytes of {} as {}; expected {} of {}", call.name,
                  buffer_bytes(outside), name_of(outside.dtype), inside.name, buffer_bytes(inside),
                  name_of(inside.dtype));
    if (inside.layout.scope != outside.layout.scope)
      return fail("call {}: {} is in {} memory, and {} of its program in {}", call.name,
                  outside.name, print(outside.layout.scope), inside.name,
                  print(inside.layout.scope));
    if (!suits(inside.role, outside.role))
      return fail("call {}: {} is no {} of a program", call.name, outside.name, inside.name);
    if (is_input(inside.role) && !written_[number])
      return fail("call {} reads {}; expected it to be written before", call.name, outside.name);
    if (!is_input(inside.role)) written_[number] = true;
    return {};
  }

  const NetworkProgram& network_;
  std::vector<bool> written_;
};

void extend(std::optional<Lifetime>& lifetime, size_t first, size_t last) {
  if (!lifetime) lifetime = Lifetime{first, last};
  lifetime->first = std::min(lifetime->first, first);
  lifetime->last = std::max(lifetime->last, last);
}

}  // namespace

Result<void> verify(const NetworkProgram& network) { return NetworkCheck(network).check(); }

size_t kernels_repeated(const NetworkProgram& network) {
  int64_t kernels = 0;
  for (const NetworkCall& call : network.calls) kernels += repeated(network.programs[call.program]);
  return static_cast<size_t>(kernels);
}

NetworkProgram without_bodies(NetworkProgram network) {
  for (Program& program : network.programs)
    for (Kernel& kernel : program.kernels) kernel.body = {};
  return network;
}

std::vector<std::optional<Lifetime>> spans_of_use(const NetworkProgram& network) {
  std::vector<std::vector<std::optional<Lifetime>>> own;
  for (const Program& program : network.programs) own.push_back(lifetimes_of(program));
  std::vector<std::optional<Lifetime>> lifetimes(network.buffers.size());
  size_t start = 0;
  for (const NetworkCall& call : network.calls) {
    const Program& program = network.programs[call.program];
    const auto once = static_cast<size_t>(preparing_kernels(program));
    for (size_t b = 0; b < call.buffers.size(); ++b) {
      const std::optional<Lifetime>& inside = own[call.program][b];
      if (!inside || inside->last < once) continue;
      extend(lifetimes[call.buffers[b]], start + std::max(inside->first, once) - once,
             start + inside->last - once);
    }
    start += program.kernels.size() - once;
  }
  return lifetimes;
}

std::vector<std::optional<Lifetime>> lifetimes_of(const NetworkProgram& network) {
  std::vector<std::optional<Lifetime>> lifetimes = spans_of_use(network);
  const size_t kernels = kernels_repeated(network);
  for (size_t b = 0; b < lifetimes.size(); ++b) {
    const BufferRole role = network.buffers[b].buffer.role;
    if (!lifetimes[b]) continue;
    if (is_input(role) || role == BufferRole::prepared) lifetimes[b]->first = 0;
    if (role != BufferRole::temporary) lifetimes[b]->last = kernels - 1;
  }
  return lifetimes;
}

int64_t live_workspace_bytes(const NetworkProgram& network) {
  const std::vector<std::optional<Lifetime>> lifetimes = lifetimes_of(network);
  std::vector<int64_t> change(kernels_repeated(network) + 1, 0);
  for (size_t b = 0; b < lifetimes.size(); ++b) {
    const Buffer& buffer = network.buffers[b].buffer;
    if (buffer.role != BufferRole::temporary || !lifetimes[b]) continue;
    change[lifetimes[b]->first] += buffer_bytes(buffer);
    change[lifetimes[b]->last + 1] -= buffer_bytes(buffer);
  }
  int64_t live = 0, most = 0;
  for (const int64_t bytes : change) most = std::max(most, live += bytes);
  return most;
}

}  // namespace dovetail
