// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/clip_loops.h"

#include <algorithm>
#include <set>

#include "primitives/lowering/zero_bounds.h"

namespace dovetail {
namespace {

using Names = std::set<std::string, std::less<>>;

// Over the loop's variable, by a constant step, and loops around it.
bool clips(const Bound& bound, const std::string& variable, const Names& outer) {
  if (bound.expr.coefficient(variable) == 0) return false;
  const bool hidden = std::ranges::any_of(bound.expr.terms(), [&](const IndexTerm& term) {
    return term.atom.inner && term.atom.inner->mentions(variable);
  });
  return !hidden && std::ranges::all_of(bound.expr.variables(), [&](const std::string& name) {
    return name == variable || outer.contains(name);
  });
}

Block clipped(Block block, Names& outer, const Program& program) {
  for (Statement& statement : block) {
    auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) continue;
    if (loop->kind == LoopKind::serial && !loop->at) {
      for (const Bound& bound : common_zero_bounds(loop->body, program)) {
        if (!clips(bound, loop->variable, outer)) continue;
        loop->body = without_bound(std::move(loop->body), bound);
        loop->bounds.push_back(bound);
      }
    }
    outer.insert(loop->variable);
    loop->body = clipped(std::move(loop->body), outer, program);
    outer.erase(loop->variable);
  }
  return block;
}

}  // namespace

Program clip_loops(Program program) {
  for (Kernel& kernel : program.kernels) {
    Names outer;
    Block body = std::move(kernel.body);  // bounds of reads are asked of the buffers alone
    kernel.body = clipped(std::move(body), outer, program);
  }
  return program;
}

}  // namespace dovetail
