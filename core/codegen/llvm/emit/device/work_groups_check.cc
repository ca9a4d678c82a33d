// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/fail.h"
#include "core/codegen/llvm/emit/kernel_emitter.h"
#include "core/codegen/work_groups/geometry.h"
#include "core/ir/intrinsic/intrinsic.h"
#include "core/ir/operator/operator.h"
#include "core/ir/program/walk.h"
#include "core/ir/program/work_groups.h"

namespace dovetail::codegen {
namespace {

// As in OpenCL C's text: beyond it, drivers take seconds.
constexpr int64_t kMaxStatements = 4096;
constexpr int64_t kWidestVector = 16;

Result<void> check_buffer(const Buffer& buffer, const Target& target) {
  if (buffer.layout.scope != MemoryScope::global)
    return fail("buffer {} has scope {}; {} reads and writes global ones", buffer.name,
                print(buffer.layout.scope), target.name.backend);
  if (buffer.dtype == ElementType::f64 && !target.has_fp64)
    return fail_by_limit("buffer {}: the device has no f64, expected another type or device",
                         buffer.name);
  return {};
}

Result<void> check_statement(const Statement& statement, const Kernel& kernel) {
  const auto refuse = [&](const std::string& what) {
    return fail("kernel {}: {}", kernel.name, what);
  };
  if (const auto* tile = std::get_if<ScopedTile>(&statement.node)) {
    if (tile->scope == TileScope::workspace)
      return refuse(
          fmt::format("tile {} is in workspace; expected a temporary buffer", tile->name));
  } else if (const auto* store = std::get_if<Store>(&statement.node)) {
    if (store->streaming)
      return refuse(fmt::format("{} is stored to past the caches, which only a CPU's kernel does",
                                store->target));
  } else if (const auto* loop = std::get_if<Loop>(&statement.node)) {
    if (!loop->prefetches.empty())
      return refuse(
          fmt::format("loop {} prefetches, which only a CPU's kernel does", loop->variable));
  }
  return {};
}

bool is_one_instruction(const Loop& loop, const Target& target) {
  const Intrinsic* intrinsic = find_intrinsic(loop.intrinsic);
  return intrinsic != nullptr && (fragments_of(*intrinsic, target) != nullptr ||
                                  group_product_of(*intrinsic, target) != nullptr);
}

// Stores after unrolling, one for each vector; what is one instruction counts once.
int64_t expanded_statements(const Block& block, const Geometry& geometry, const Target& target) {
  int64_t statements = 0;
  for (const Statement& statement : block) {
    if (std::holds_alternative<Store>(statement.node)) ++statements;
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) continue;
    if (is_one_instruction(*loop, target)) {
      ++statements;
      continue;
    }
    int64_t times = 1;
    const LoopForm form = form_of(*loop, geometry);
    if (form == LoopForm::unrolled) times = loop->extent;
    if (form == LoopForm::vectorized) times = (loop->extent + kWidestVector - 1) / kWidestVector;
    const int64_t inner = expanded_statements(loop->body, geometry, target);
    statements += inner * std::min(times, kMaxStatements + 1);
    statements = std::min(statements, kMaxStatements + 1);
  }
  return statements;
}

}  // namespace

Result<void> check_for_work_groups(const Program& program, const Target& target) {
  for (const Buffer& buffer : program.buffers) TRY(check_buffer(buffer, target));
  for (const Kernel& kernel : program.kernels) {
    Result<void> checked;
    for_each_statement(kernel.body, [&](const Statement& statement) {
      if (checked) checked = check_statement(statement, kernel);
    });
    TRY(checked);
    const Geometry geometry = TRY(geometry_of(kernel, target));
    if (expanded_statements(kernel.body, geometry, target) > kMaxStatements)
      return fail("kernel {}: unrolled loops expand to more than {} statements; unroll fewer loops",
                  kernel.name, kMaxStatements);
    const bool has_batches =
        copies_in_bulk(target) && any_statement(kernel.body, [](const Statement& statement) {
          const auto* store = std::get_if<Store>(&statement.node);
          return store != nullptr && store->async;
        });
    const int64_t local_bytes =
        work_groups_of(kernel).local_bytes + (has_batches ? kBytesOfBatches : 0);
    if (local_bytes > target.local_memory_bytes)
      return fail("kernel {}: local tiles have {} bytes, device {} has {}", kernel.name,
                  local_bytes, target.device, target.local_memory_bytes);
  }
  return {};
}

}  // namespace dovetail::codegen
