// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/prefetch/prefetch_inputs.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/round_up.h"
#include "core/ir/program/walk.h"
#include "deploy/network/prefetch/shared_programs.h"
#include "primitives/lowering/passes/rewrite_block.h"

namespace dovetail {
namespace {

constexpr int64_t kLineElements = 16;
constexpr int64_t kMostLines = 8;   // cache lines per row
constexpr int64_t kRowsAhead = 6;   // 4 to 12 perform alike
constexpr int64_t kMostPlanes = 4;  // planes, each with its own prefetch

bool is_scalar(const Load& load, const Block& body) {
  bool vectors = false;
  for_each_statement(body, [&](const Statement& statement) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr || loop->kind != LoopKind::vectorized) return;
    for (const IndexExpr& index : load.indices) vectors |= index.mentions(loop->variable);
  });
  return !vectors;
}

std::optional<Load> first_scalar_load(const Block& body, const std::string& buffer) {
  std::optional<Load> found;
  for_each_store(body, [&](const Store& store) {
    for_each_load(store.value, [&](const Load& load) {
      if (!found && load.buffer == buffer && is_scalar(load, body)) found = load;
    });
  });
  return found;
}

// Prefetches the part of a row that one iteration of a loop reads, some rows ahead, in each plane.
class RowsAhead {
 public:
  RowsAhead(const Load& load, const Loop& loop)
      : load_(load), loop_(loop), inner_(inner_ranges(loop.body)), row_(load.indices.size() - 2) {}

  std::vector<Prefetch> prefetches() const {
    Prefetch first{.buffer = load_.buffer, .indices = {}, .lines = lines()};
    const int64_t step = load_.indices[row_].coefficient(loop_.variable);
    IndexValues values;
    values.emplace(loop_.variable, IndexExpr::variable(loop_.variable) +
                                       IndexExpr(round_up(kRowsAhead, step) / step));
    for (const auto& [name, range] : inner_) values.emplace(name, IndexExpr(range.min));
    std::vector<Prefetch> all;
    for (int64_t plane = 0; plane < planes(); ++plane) {
      if (!plane_.empty()) values.insert_or_assign(plane_, IndexExpr(plane));
      first.indices.clear();
      for (const IndexExpr& index : load_.indices)
        first.indices.push_back(substitute(index, values, {}));
      all.push_back(first);
    }
    return all;
  }

  // False if planes are not the plain iterations of one inner loop, or too many.
  bool is_known() {
    if (load_.indices[row_].coefficient(loop_.variable) <= 0) return false;
    for (size_t axis = 0; axis < row_; ++axis)
      for (const auto& [name, range] : inner_)
        if (load_.indices[axis].mentions(name)) {
          if (!plane_.empty() || load_.indices[axis] != IndexExpr::variable(name)) return false;
          plane_ = name;
        }
    return planes() <= kMostPlanes;
  }

 private:
  int64_t planes() const {
    if (plane_.empty()) return 1;
    const Range range = inner_.at(plane_);
    return range.max - range.min + 1;
  }

  // Enough lines wherever in a cache line the first element is.
  int64_t lines() const {
    const IndexExpr& columns = load_.indices.back();
    IndexValues outside;
    for (const std::string& name : columns.variables())
      if (!inner_.contains(name)) outside.emplace(name, IndexExpr(0));
    const Range reached = range_of(substitute(columns, outside, {}), inner_);
    return std::min((reached.max - reached.min) / kLineElements + 2, kMostLines);
  }

  const Load& load_;
  const Loop& loop_;
  Ranges inner_;
  size_t row_;
  std::string plane_;  // variable of the inner loop over planes
};

// Adds prefetches to the innermost loops over rows. True if any was added.
bool ask(Block& block, const std::string& buffer) {
  bool asks = false;
  for (Statement& statement : block) {
    auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) continue;
    if (ask(loop->body, buffer)) {
      asks = true;
      continue;
    }
    const std::optional<Load> load =
        can_ask(*loop) ? first_scalar_load(loop->body, buffer) : std::nullopt;
    if (!load || load->indices.size() < 2) continue;
    RowsAhead rows(*load, *loop);
    if (!rows.is_known()) continue;
    for (Prefetch& prefetch : rows.prefetches()) loop->prefetches.push_back(std::move(prefetch));
    asks = true;
  }
  return asks;
}

// The program with prefetches of these buffers; nothing if it needs none.
std::optional<Program> asking(Program program, const std::vector<std::string>& inputs) {
  bool asks = false;
  for (Kernel& kernel : program.kernels)
    for (const std::string& input : inputs)
      if (!kernel.prepares) asks |= ask(kernel.body, input);
  return asks ? std::optional(std::move(program)) : std::nullopt;
}

std::vector<std::string> inputs_of(const NetworkProgram& network, const NetworkCall& call) {
  std::vector<std::string> inputs;
  for (size_t b = 0; b < call.buffers.size(); ++b)
    if (network.buffers[call.buffers[b]].buffer.role == BufferRole::activation)
      inputs.push_back(network.programs[call.program].buffers[b].name);
  return inputs;
}

}  // namespace

NetworkProgram prefetch_inputs(NetworkProgram network, const Target& target) {
  if (!runs_threads(target)) return network;
  std::vector<std::optional<Program>> others;
  for (const NetworkCall& call : network.calls) {
    const std::vector<std::string> inputs = inputs_of(network, call);
    others.push_back(inputs.empty() ? std::nullopt
                                    : asking(network.programs[call.program], inputs));
  }
  return with_programs(std::move(network), std::move(others));
}

}  // namespace dovetail
