// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "primitives/divisors.h"
#include "primitives/loop/shared_loops.h"
#include "primitives/space/machine_facts.h"
#include "primitives/space/memory_bound/execution.h"
#include "primitives/space/memory_bound/stage_choices.h"

namespace dovetail::memory_bound {
namespace {

void add_work_items(const std::shared_ptr<const Plan>& plan, const Target& target,
                    ParameterList& list) {
  std::vector<int64_t> items = {1};
  for (int64_t n = 16; n <= std::min<int64_t>(256, target.max_work_group_size); n *= 2)
    items.push_back(n);
  for (const Stage& stage : plan->stages)
    list.add_values(work_items(stage), "work-items of a group", items);
}

bool cut_items(int64_t wanted, std::vector<OuterLoop>& head, std::vector<LoopPrimitive>& list) {
  if (head.empty()) return false;
  OuterLoop& last = head.back();
  const int64_t items = largest_divisor(last.extent, wanted);
  if (items == 1 || items == last.extent) return items > 1;
  list.emplace_back(loop::Split{last.name, items});
  OuterLoop inner = last;
  inner.name += ".1", inner.extent = items;
  last.name += ".0", last.extent /= items;
  head.push_back(std::move(inner));
  return true;
}

std::string share_among_groups(const std::vector<OuterLoop>& head, bool has_items, bool is_plain,
                               const std::string& around, std::vector<LoopPrimitive>& list) {
  std::vector<std::string> groups;
  for (const OuterLoop& loop : head) groups.push_back(loop.name);
  if (has_items) {
    list.emplace_back(loop::Bind{groups.back(), ThreadAxis::thread_0});
    groups.pop_back();
  }
  groups = bind_loops(std::move(groups), ThreadAxis::group_0, list);
  return is_plain && !has_items ? groups.back() : around;
}

}  // namespace

const ExecutionRules kWorkGroupRules = {.shares_rows = true,
                                        .places_gathers_last = true,
                                        .private_bytes = kItemBytes,
                                        .transposed_rows = 32,
                                        .add_sharing = add_work_items,
                                        .cut_items = cut_items,
                                        .share = share_among_groups};

const ExecutionRules& rules_of(const Target& target) {
  return runs_threads(target) ? kThreadRules : kWorkGroupRules;
}

}  // namespace dovetail::memory_bound
