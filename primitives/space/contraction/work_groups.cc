// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "primitives/layout/apply_layout.h"
#include "primitives/space/contraction/execution.h"
#include "primitives/space/layouts/decode_layouts.h"
#include "primitives/space/layouts/placement.h"
#include "primitives/space/machine_facts.h"
#include "primitives/space/shared_loops.h"

namespace dovetail {
namespace {

constexpr int64_t kMaxItems = 1024;        // in a work-group
constexpr int64_t kNumSearchedScopes = 4;  // global, texture, texture:weight, texture:nhwc

int64_t vectors_that_keep_units_busy(const Target& target) {
  return kWorkItemsPerUnit * target.compute_units;
}

// Work-items along all axes together are within the limit of a group.
void add_work_items(const std::shared_ptr<const ContractionFacts>& facts, const Target& target,
                    ParameterList& list) {
  const int64_t limit = std::min(target.max_work_group_size, kMaxItems);
  for (const std::string& axis : facts->tiled) {
    std::vector<ParameterId> reads = {{ParameterKind::register_tile, axis}};
    for (const std::string& other : facts->tiled)
      reads.emplace_back(ParameterKind::cache_tile, other);
    list.add({ParameterKind::cache_tile, axis}, "work-items along " + axis, reads,
             [facts, axis, limit](const Choices& c) {
               int64_t items = 1;
               for (const Choice& choice : c)
                 items *= choice.kind == ParameterKind::cache_tile ? choice.value : 1;
               std::vector<int64_t> values = cache_tiles(*facts, c, axis);
               std::erase_if(values, [&](int64_t tiles) { return items * tiles > limit; });
               return values;
             });
  }
}

void add_copies(const std::shared_ptr<const ContractionPlan>& plan, const Target& target,
                ParameterList& list) {
  if (!plan->stage.empty() && target.local_memory_bytes > 0)
    add_copies_of_groups(facts_of(plan), target.local_memory_bytes / 2, list);
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

bool fuses_for_groups(const Head& head, const Choices& /*choices*/) {
  return head.num_outer > 3 || head.loops.size() - head.num_outer > 3;
}

// Outer loops become work-groups, and the loops inside them work-items.
void share_among_groups(Head& head, const Choices& /*choices*/, std::vector<LoopPrimitive>& list) {
  const auto inner = head.loops.begin() + static_cast<ptrdiff_t>(head.num_outer);
  const std::vector<std::string> items(inner, head.loops.end());
  head.loops.erase(inner, head.loops.end());
  head.loops = bind_loops(std::move(head.loops), ThreadAxis::group_0, list);
  head.num_outer = head.loops.size();
  for (std::string& loop : bind_loops(items, ThreadAxis::thread_0, list))
    head.loops.push_back(std::move(loop));
}

LoopPrimitive group_loop(const std::string& loop) { return loop::Bind{loop, ThreadAxis::group_0}; }

}  // namespace

const ExecutionRules kWorkGroupRules = {.busy_vectors = vectors_that_keep_units_busy,
                                        .padded_unroll = 4,  // a texel
                                        .padded_bytes = kItemBytes,
                                        .add_cache_tiles = add_work_items,
                                        .add_sharing = add_copies,
                                        .add_scopes = add_image_scopes,
                                        .fuses = fuses_for_groups,
                                        .share = share_among_groups,
                                        .shared_loop = group_loop,
                                        .copies = TileScope::local};

}  // namespace dovetail
