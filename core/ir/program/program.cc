// SPDX-License-Identifier: Apache-2.0
//
// Look-ups, sizes and equality of programs; their work is counted in program_work.cc.
#include "core/ir/program/program.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/ir/program/program_words.h"

namespace dovetail {
namespace {

// Depth of the outermost parallel loop and its extent.
struct ParallelLoop {
  int depth = 0;
  int64_t extent = 1;
};

void find_parallel(const Block& block, int depth, ParallelLoop& best) {
  for (const Statement& statement : block) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) continue;
    if (loop->kind != LoopKind::parallel)
      find_parallel(loop->body, depth + 1, best);
    else if (best.depth == 0 || depth < best.depth)
      best = {depth, loop->extent};
  }
}

}  // namespace

bool operator==(const Loop& a, const Loop& b) {
  const bool same_thread = a.kind != LoopKind::bound || a.thread == b.thread;
  return a.variable == b.variable && a.extent == b.extent && a.kind == b.kind && same_thread &&
         a.body == b.body && a.bounds == b.bounds && a.prefetches == b.prefetches && a.at == b.at &&
         a.intrinsic == b.intrinsic;
}

bool operator==(const Statement& a, const Statement& b) { return a.node == b.node; }

std::string_view print(BufferRole role) { return kBufferRoles[static_cast<size_t>(role)]; }

Result<BufferRole> parse_word(std::string_view text, std::type_identity<BufferRole>) {
  const auto role = word_to<BufferRole>(kBufferRoles, text);
  if (role) return *role;
  return fail("found '{}', expected one of: {}", text, one_of(kBufferRoles));
}

const Buffer* find_buffer(const Program& program, std::string_view name) {
  const auto it = std::ranges::find(program.buffers, name, &Buffer::name);
  return it == program.buffers.end() ? nullptr : &*it;
}

const Buffer& buffer_named(const Program& program, std::string_view name) {
  const Buffer* buffer = find_buffer(program, name);
  CHECK(buffer != nullptr, "the program has no buffer " + std::string(name));
  return *buffer;
}

int64_t buffer_bytes(const Buffer& buffer) {
  return storage_elements(buffer.layout) * bytes_of(buffer.dtype);
}

int64_t workspace_bytes(const Program& program) {
  int64_t bytes = 0;
  for (const Buffer& buffer : program.buffers)
    if (buffer.role == BufferRole::temporary) bytes += buffer_bytes(buffer);
  return bytes;
}

bool is_input(BufferRole role) {
  return role == BufferRole::activation || role == BufferRole::constant;
}

int64_t preparing_kernels(const Program& program) {
  return std::ranges::count(program.kernels, true, &Kernel::prepares);
}

int64_t parallel_extent(const Kernel& kernel) {
  ParallelLoop best;
  find_parallel(kernel.body, 1, best);
  return best.extent;
}

}  // namespace dovetail
