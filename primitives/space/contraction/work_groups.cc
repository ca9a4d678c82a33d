// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "primitives/divisors.h"
#include "primitives/layout/apply_layout.h"
#include "primitives/loop/shared_loops.h"
#include "primitives/space/contraction/execution.h"
#include "primitives/space/contraction/group_sum.h"
#include "primitives/space/contraction/loop_orders.h"
#include "primitives/space/layouts/decode_layouts.h"
#include "primitives/space/layouts/placement.h"
#include "primitives/space/machine_facts.h"

namespace dovetail {
namespace {

constexpr int64_t kItemsOfSum = 128;  // in a group that adds up partial sums

constexpr int64_t kNumSearchedScopes = 4;  // global, texture, texture:weight, texture:nhwc

int64_t vectors_that_keep_units_busy(const Target& target) {
  return kVectorsPerUnit * target.compute_units;
}

// Work-items along all axes together are within the limit of a group.
void add_work_items(const std::shared_ptr<const ContractionFacts>& facts, const Target& target,
                    ParameterList& list) {
  const int64_t limit = std::min(target.max_work_group_size, kMostWorkItems);
  for (const std::string& axis : facts->tiled) {
    std::vector<ParameterId> reads = {{ParameterKind::register_tile, axis}};
    for (const std::string& other : facts->tiled)
      reads.emplace_back(ParameterKind::cache_tile, other);
    list.add({ParameterKind::cache_tile, axis}, "work-items along " + axis, reads,
             [facts, axis, limit](const Choices& c) {
               const int64_t items = work_items(*facts, c);
               std::vector<int64_t> values = cache_tiles(*facts, c, axis);
               std::erase_if(values, [&](int64_t tiles) { return items * tiles > limit; });
               return values;
             });
  }
}

// Parts of the reduction: a group for each of them, and a second kernel that adds up the sums.
void add_reduction_parts(const std::shared_ptr<const ContractionPlan>& plan, ParameterList& list) {
  if (!plan->shares_reduction) return;
  const std::shared_ptr<const ContractionFacts> s = facts_of(plan);
  list.add({ParameterKind::reduction_parts, s->pure},
           "parts of " + s->pure + " that groups sum up apart; 1: none",
           {{ParameterKind::unroll_part, s->pure},
            {ParameterKind::inner_part, s->pure},
            {ParameterKind::store_at, "bias"}},
           [s](const Choices& c) {  // the sum's loops do not follow the splits of W's layout
             const int64_t unroll = unroll_part(c, s->pure);
             const int64_t blocks =
                 round_up(s->axis(s->pure).extent, unroll) / (unroll * inner_part(c, s->pure));
             std::vector<int64_t> parts = divisors(blocks);
             std::erase_if(parts, [&](int64_t p) { return p > kMostReductionParts; });
             if (chosen(c, {ParameterKind::store_at, "bias"}, 0) == 1) parts = {1};
             return parts;
           })
      .off_percent = kWholePercent;
}

void add_sharing(const std::shared_ptr<const ContractionPlan>& plan, const Target& target,
                 ParameterList& list) {
  add_reduction_parts(plan, list);
  add_reduction_items(plan, target, list);
  if (!plan->stage.empty() && target.local_memory_bytes > 0)
    add_copies_of_groups(facts_of(plan), target, list);
}

// Memory scopes that an input's layout fits on the target; global always does.
std::vector<int64_t> legal_scopes(const ContractionFacts& s, const Choices& c, const Access& access,
                                  const Target& target) {
  const Tensor& tensor = s.tensor(access.tensor);
  Layout layout = applied(input_layout(s, c, access), stored_dims(s, c, tensor));
  std::vector<int64_t> values;
  for (int64_t scope = 0; scope < kNumSearchedScopes; ++scope) {
    layout.scope = static_cast<MemoryScope>(scope);
    if (check_scope(tensor, layout, target)) values.push_back(scope);
  }
  return values;
}

// Scopes are added last because an image must fit: its innermost axis is 4 and its extents are
// within the device's limits. Ids borrow their names from the list, so they are collected anew
// after each addition.
void add_image_scopes(const std::shared_ptr<const ContractionFacts>& facts, const Target& target,
                      ParameterList& list) {
  if (!target.has_images) return;
  std::vector<std::string> labels;
  for (int64_t scope = 0; scope < kNumSearchedScopes; ++scope)
    labels.push_back(print(static_cast<MemoryScope>(scope)));
  for (const Access& access : facts->inputs()) {
    std::vector<ParameterId> reads;
    for (const Parameter& p : list.parameters())
      if (!counts_orders(p.kind) && p.kind != ParameterKind::unroll) reads.push_back(id_of(p));
    list.add(
        {ParameterKind::scope, access.tensor}, "memory scope of " + access.tensor, reads,
        [facts, access, target](const Choices& c) {
          return legal_scopes(*facts, c, access, target);
        },
        labels);
  }
}

// The loops inside the outer ones.
std::vector<std::string> items_of(const Head& head) {
  return {head.loops.begin() + static_cast<ptrdiff_t>(head.num_outer), head.loops.end()};
}

bool fuses_for_groups(const Head& head, const Choices& /*choices*/, const Target& target) {
  return head.num_outer > 3 || fuses_items(items_of(head), head.extents, target);
}

// Outer loops become work-groups, and the loops inside them work-items.
void share_among_groups(Head& head, const Choices& /*choices*/, const Target& target,
                        std::vector<LoopPrimitive>& list) {
  const std::vector<std::string> items = items_of(head);
  head.loops.resize(head.num_outer);
  head.loops = bind_loops(std::move(head.loops), ThreadAxis::group_0, list);
  head.num_outer = head.loops.size();
  for (std::string& loop : bind_items(items, head.extents, target, list))
    head.loops.push_back(std::move(loop));
}

// The innermost vector of the innermost axis, or no vector.
std::string sum_lanes(const PhysicalAxis& axis, int64_t lanes, SharedSum& sum,
                      std::vector<LoopPrimitive>& splits) {
  if (axis.extent() % lanes != 0) return axis.name;
  if (axis.extent() == lanes) return sum.lanes = {axis.name}, "";
  splits.emplace_back(loop::Split{axis.name, lanes});
  sum.lanes = {axis.name + ".1"};
  return axis.name + ".0";
}

// Neighbouring vectors to the work-items of a group, as many as fill it; the rest to groups.
SharedSum share_sum_among_groups(const std::vector<PhysicalAxis>& axes, const Target& target,
                                 std::vector<LoopPrimitive>& splits) {
  SharedSum sum;
  std::vector<std::string> single, groups, items;
  int64_t room = std::min(kItemsOfSum, target.max_work_group_size);
  for (size_t k = axes.size(); k-- > 0;) {
    int64_t extent = axes[k].extent();
    std::string loop = axes[k].name;
    if (extent > 1 && k + 1 == axes.size()) {
      loop = sum_lanes(axes[k], vector_lanes(target), sum, splits);
      extent /= sum.lanes.empty() ? 1 : vector_lanes(target);
    }
    if (extent == 1) {
      if (!loop.empty()) single.push_back(loop);
      continue;
    }
    const size_t axis = items.size();
    const int64_t own =
        axis > 2 ? 1 : largest_divisor(extent, std::min(room, max_work_items(target, axis)));
    room /= own;
    if (own > 1 && own < extent) {
      splits.emplace_back(loop::Split{loop, own});
      items.push_back(loop + ".1");
      loop += ".0";
    }
    (own == extent ? items : groups).push_back(loop);
  }
  for (auto* part : {&groups, &items}) std::ranges::reverse(*part);
  for (const auto* part : {&single, &groups, &items})
    sum.outer.insert(sum.outer.end(), part->begin(), part->end());
  bind_loops(groups, ThreadAxis::group_0, sum.sharing);
  bind_loops(items, ThreadAxis::thread_0, sum.sharing);
  return sum;
}

}  // namespace

const ExecutionRules kWorkGroupRules = {.busy_vectors = vectors_that_keep_units_busy,
                                        .padded_unroll = 4,  // a texel
                                        .padded_bytes = kItemBytes,
                                        .add_cache_tiles = add_work_items,
                                        .add_sharing = add_sharing,
                                        .add_scopes = add_image_scopes,
                                        .fuses = fuses_for_groups,
                                        .share = share_among_groups,
                                        .share_sum = share_sum_among_groups,
                                        .copies = TileScope::local};

}  // namespace dovetail
