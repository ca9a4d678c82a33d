// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "primitives/space/contraction/execution.h"
#include "primitives/space/contraction/loop_orders.h"
#include "primitives/space/layouts/placement.h"
#include "primitives/space/machine_facts.h"

namespace dovetail {
namespace {

int64_t vectors_that_keep_threads_busy(const Target& target) {
  return target.name.threads == 1 ? 0 : kVectorsPerThread * target.name.threads;
}

void add_tiles_of_caches(const std::shared_ptr<const ContractionFacts>& facts,
                         const Target& /*target*/, ParameterList& list) {
  for (const std::string& axis : facts->tiled)
    list.add({ParameterKind::cache_tile, axis}, "cache tile of " + axis + ", register tiles",
             {{ParameterKind::register_tile, axis}},
             [facts, axis](const Choices& c) { return cache_tiles(*facts, c, axis); });
}

// Offered only where they can matter. Where caches hold all operands, the consumer finds the output
// there; after non-temporal stores it would wait for memory (the pooling after ResNet-18's first
// convolution on a Zen 5: 173 us instead of 116), which timing the producer alone does not show.
void add_cache_hints(const ContractionFacts& s, const Target& target, ParameterList& list) {
  const bool leaves =
      bytes_of(s, s.output()) > target.l2_bytes && leaves_caches(operand_bytes(s), target);
  if (leaves && s.lanes > 1 && s.lanes % vector_lanes(target) == 0) {
    list.add(ParameterKind::stores, "where the output goes", {ParameterKind::reduction_outside},
             [](const Choices& c) {
               return count_up_to(chosen(c, ParameterKind::reduction_outside, 0) == 0 ? 2 : 1);
             },
             {"normal", "streaming"});
  }
  if (s.inputs().size() < 2) return;
  const std::string weights = s.inputs()[1].tensor;
  if (bytes_of(s, weights) <= target.l2_bytes) return;
  list.add({ParameterKind::prefetch, weights},
           "iterations of the innermost reduction loop by which " + weights +
               " is prefetched; 0: not, -1: for the next tile of columns",
           {{ParameterKind::cache_read, weights}}, [weights](const Choices& c) {
             return chosen(c, {ParameterKind::cache_read, weights}, kNowhere) == kNowhere
                        ? std::vector<int64_t>{0, 1, 2, 4, 8, 16, 32, kNextTile}
                        : std::vector<int64_t>{0};
           });
}

void add_partial_sums(const std::shared_ptr<const ContractionPlan>& plan, ParameterList& list) {
  if (!plan->shares_reduction) return;
  const std::shared_ptr<const ContractionFacts> s = facts_of(plan);
  list.add(ParameterKind::rfactor, "top of the reduction summed up apart, shared by threads",
           {{ParameterKind::unroll_part, s->pure},
            {ParameterKind::inner_part, s->pure},
            {ParameterKind::store_at, "bias"}},
           [s](const Choices& c) {  // the sum's loops do not follow the splits of W's layout
             return count_up_to(
                 has_top(*s, c) && chosen(c, {ParameterKind::store_at, "bias"}, 0) == 0 ? 2 : 1);
           },
           {"none", "top"});
}

void add_orders_of_threads(const std::shared_ptr<const ContractionPlan>& plan, const Target& target,
                           ParameterList& list) {
  const std::string& pure = plan->facts.pure;
  add_partial_sums(plan, list);
  if (!pure.empty() && plan->sums_in_parts) {
    list.add(ParameterKind::reduction_outside,
             "1: the top of the reduction lies outside the cache loops",
             {{ParameterKind::unroll_part, pure},
              {ParameterKind::inner_part, pure},
              ParameterKind::rfactor},
             [plan](const Choices& c) {
               const bool may =
                   has_top(plan->facts, c) && chosen(c, ParameterKind::rfactor, 0) == 0;
               return count_up_to(may ? 2 : 1);
             });
  }
  if (!plan->stage.empty()) add_copies_of_threads(facts_of(plan), list);
  if (target.name.threads > 1)
    list.add_values(ParameterKind::fuse, "outer loops that threads share", {1, 2, 3});
  add_cache_hints(plan->facts, target, list);
}

bool fuses_for_threads(const Head& /*head*/, const Choices& choices, const Target& /*target*/) {
  return chosen(choices, ParameterKind::fuse, 1) > 1;
}

void share_among_threads(Head& head, const Choices& choices, const Target& /*target*/,
                         std::vector<LoopPrimitive>& list) {
  const size_t fused = std::min({static_cast<size_t>(chosen(choices, ParameterKind::fuse, 1)),
                                 head.num_outer, head.num_fusable});
  for (size_t k = 1; k < fused; ++k, --head.num_outer) fuse_with_next(0, head, list);
  const bool first_is_output = head.num_outer > 0 || (!head.has_top && !head.loops.empty());
  if (first_is_output) list.emplace_back(loop::Parallel{head.loops[0]});
}

// The first loop is parallel; the innermost axis is a vector, which codegen splits.
SharedSum share_sum_among_threads(const std::vector<PhysicalAxis>& axes, const Target& /*target*/,
                                  std::vector<LoopPrimitive>& /*splits*/) {
  constexpr int64_t kMaxLanes = 64;
  SharedSum sum;
  for (const PhysicalAxis& axis : axes) {
    const bool last = &axis == &axes.back();
    const bool vector = last && axis.extent() > 1 && axis.extent() <= kMaxLanes;
    (vector ? sum.lanes : sum.outer).push_back(axis.name);
    if (!vector && sum.sharing.empty() && axis.extent() > 1)
      sum.sharing.emplace_back(loop::Parallel{axis.name});
  }
  return sum;
}

}  // namespace

const ExecutionRules kThreadRules = {.busy_vectors = vectors_that_keep_threads_busy,
                                     .masks_lanes = true,
                                     .pads_in_block = true,
                                     .padded_bytes = kThreadBytes,
                                     .add_cache_tiles = add_tiles_of_caches,
                                     .add_sharing = add_orders_of_threads,
                                     .fuses = fuses_for_threads,
                                     .share = share_among_threads,
                                     .share_sum = share_sum_among_threads,
                                     .copies = TileScope::private_};

}  // namespace dovetail
