// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "primitives/space/machine_facts.h"
#include "primitives/space/memory_bound/execution.h"
#include "primitives/space/memory_bound/stage_choices.h"

namespace dovetail::memory_bound {
namespace {

// Non-temporal stores, where some vectors of the output are whole and it leaves the caches.
void add_stores(const std::shared_ptr<const Plan>& plan, const Target& target,
                ParameterList& list) {
  const Stage& last = plan->stages.back();
  const auto is_whole = [lanes = vector_lanes(target)](const Stage& stage, size_t axis) {
    return stage.stored[axis] == 1 && stage.axes[axis].extent % lanes == 0;
  };
  bool whole = false;
  for (size_t a = 0; a < last.output_axes(); ++a) whole = whole || is_whole(last, a);
  if (!whole || last.output_bytes < target.l2_bytes || !leaves_caches(plan->bytes, target)) return;
  std::vector<ParameterId> reads;
  for (const Parameter& earlier : list.parameters()) reads.push_back(id_of(earlier));
  list.add(ParameterKind::stores, "1: the output goes past the caches", reads,
           [plan, target, is_whole](const Choices& choices) {
             const StageChoices c(*plan, target, choices);
             const Stage& own = plan->stages.back();
             const VectorChoice choice = c.vectors(own);
             const std::optional<size_t> along = choice.across ? choice.across : choice.axis;
             const int64_t stored = choice.across ? c.rows(own) : c.lanes(own);
             const bool fits = along && is_whole(own, *along) && stored % vector_lanes(target) == 0;
             return fits ? std::vector<int64_t>{0, 1} : std::vector<int64_t>{0};
           });
}

size_t cut_no_items(int64_t /*wanted*/, size_t /*most_loops*/, std::vector<OuterLoop>& /*head*/,
                    std::vector<LoopPrimitive>& /*list*/) {
  return 0;
}

// Makes the outermost loop parallel, unless bounds start or end inside it: lowering cuts such a
// loop, which it cannot do to a parallel one.
std::string share_among_threads(const std::vector<OuterLoop>& head, size_t /*item_loops*/,
                                bool /*is_plain*/, const std::string& around,
                                std::vector<LoopPrimitive>& list) {
  const auto first = std::ranges::find_if(head, [](const OuterLoop& l) { return l.extent > 1; });
  if (first != head.end() && !first->is_bounded) list.emplace_back(loop::Parallel{first->name});
  return around;
}

}  // namespace

const ExecutionRules kThreadRules = {.cuts_tails = true,
                                     .sums_in_lanes = true,
                                     .transposes_in_registers = true,
                                     .blocks_dims = true,
                                     .private_bytes = kThreadBytes,
                                     .made = kInside,
                                     .costly_vectors = kCostlyAtOnce,
                                     .add_sharing = add_stores,
                                     .cut_items = cut_no_items,
                                     .share = share_among_threads};

}  // namespace dovetail::memory_bound
