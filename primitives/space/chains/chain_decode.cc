// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/chains/chain.h"

#include <algorithm>

#include "core/base/check.h"
#include "primitives/divisors.h"
#include "primitives/loop/shared_loops.h"
#include "primitives/space/contraction/contraction_plan.h"

namespace dovetail {
namespace {

// How a kernel's rounds are made parallel: over an axis outside them, or over parts of the rounds.
struct SharedRounds {
  std::string rounds;  // the loop that stages are attached to
  std::vector<LoopPrimitive> primitives;
};

int64_t rounds_of(const Chain& chain, const ChainPlan& plan, size_t host) {
  return chain.facts(host).axis(chain.stages[host].rows).extent / plan.band;
}

SharedRounds shared_rounds(const Chain& chain, const ChainPlan& plan, size_t host,
                           const Target& target) {
  const ChainStage& stage = chain.stages[host];
  SharedRounds shared{plan.band > 1 ? stage.rows + ".0" : stage.rows, {}};
  if (target.name.threads == 1) return shared;
  if (!stage.lead.empty()) {
    shared.primitives.push_back(loop::Parallel{stage.lead[0]});
    return shared;
  }
  const ParallelChunks parts =
      parallel_chunks({shared.rounds}, rounds_of(chain, plan, host), target.name.threads);
  if (parts.split) shared.primitives.push_back(*parts.split);
  shared.primitives.push_back(loop::Parallel{parts.loops.front()});
  shared.rounds = parts.loops.back();
  return shared;
}

bool is_read_inside(const Chain& chain, size_t k, const std::string& tensor) {
  return k > 0 && tensor == chain.made(k - 1);
}

}  // namespace

bool rounds_follow(const Chain& chain, const ChainPlan& plan, size_t host, const Target& target) {
  const int64_t rounds = rounds_of(chain, plan, host);
  return target.name.threads == 1 || !chain.stages[host].lead.empty() ||
         least_divisor(rounds, target.name.threads) < rounds;
}

Trace decode(const Chain& chain, const ChainPlan& plan, const Target& target,
             const std::vector<Choices>& choices) {
  Trace trace;
  const std::vector<ContractionPlan> plans = plans_in_rounds(chain, plan, choices);
  for (size_t k = chain.stages.size(); k-- > 0;) {
    Trace own = decode(plans[k], target, choices[k]);
    // Layouts describe whole tensors, even where loops compute one round.
    if (plan.attached[k]) own.layouts = decode(chain.stages[k].plan, target, choices[k]).layouts;
    for (TensorLayout& lines : own.layouts)
      if (!is_read_inside(chain, k, lines.tensor) && !lines.primitives.empty())
        trace.layouts.push_back(std::move(lines));
    std::vector<LoopPrimitive>& loops = own.loops[0].primitives;
    own.loops[0].stage = chain.stages[k].name;
    if (plan.is_host(k)) {
      const SharedRounds shared = shared_rounds(chain, plan, k, target);
      loops.insert(loops.end(), shared.primitives.begin(), shared.primitives.end());
    }
    if (plan.attached[k]) {
      const size_t host = plan.host(k);
      std::vector<LoopPrimitive> inside = {
          loop::ComputeAt{chain.stages[host].name, shared_rounds(chain, plan, host, target).rounds,
                          TileScope::workspace}};
      if (plan.rolls(chain, k)) inside.emplace_back(loop::Roll{chain.stages[k].rows});
      loops.insert(loops.begin(), inside.begin(), inside.end());
    }
    for (StageLoops& lines : own.loops) trace.loops.push_back(std::move(lines));
  }
  return trace;
}

}  // namespace dovetail
