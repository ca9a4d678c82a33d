// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/small_kernels.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

#include "core/ir/program/walk.h"
#include "core/ir/value/walk.h"

namespace dovetail {
namespace {

constexpr double kFewestShared = 512;  // steps: some 0.1 us
constexpr double kFunctionSteps = 10;  // exp, tanh and the like, as polynomials

double steps_of(const Value& value) {
  double steps = 0;
  for_each_node(value, [&](const Value& node) {
    const bool is_function = std::holds_alternative<std::shared_ptr<const Unary>>(node.node());
    const bool is_free = std::holds_alternative<Constant>(node.node()) ||
                         std::holds_alternative<IndexValue>(node.node());
    steps += is_function ? kFunctionSteps : is_free ? 0 : 1;
  });
  return steps;
}

// A vector's lanes are one step.
double steps_of(const Block& block, int64_t lanes) {
  double steps = 0;
  for (const Statement& statement : block) {
    if (const auto* store = std::get_if<Store>(&statement.node))
      steps += 1 + steps_of(store->value) + (accumulates(*store) ? 1 : 0);
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) continue;
    int64_t rounds = loop->at ? 1 : loop->extent;
    if (loop->kind == LoopKind::vectorized) rounds = (rounds + lanes - 1) / lanes;
    steps += static_cast<double>(rounds) * steps_of(loop->body, lanes);
  }
  return steps;
}

// Parallel loops are outermost.
void make_serial(Kernel& kernel) {
  for (Statement& statement : kernel.body) {
    auto* loop = std::get_if<Loop>(&statement.node);
    if (loop != nullptr && loop->kind == LoopKind::parallel) loop->kind = LoopKind::serial;
  }
}

}  // namespace

double vector_steps(const Kernel& kernel, const Target& target) {
  return steps_of(kernel.body, std::max(vector_lanes(target), 1));
}

Program serialize_small_kernels(Program program, const Target& target) {
  if (target.name.threads < 2) return program;
  for (Kernel& kernel : program.kernels)
    if (vector_steps(kernel, target) < kFewestShared) make_serial(kernel);
  return program;
}

}  // namespace dovetail
