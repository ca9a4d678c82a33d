// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "primitives/divisors.h"
#include "primitives/loop/shared_loops.h"
#include "primitives/space/machine_facts.h"
#include "primitives/space/memory_bound/execution.h"
#include "primitives/space/memory_bound/stage_choices.h"

namespace dovetail::memory_bound {
namespace {

constexpr std::array kItemAxes = {ThreadAxis::thread_0, ThreadAxis::thread_1, ThreadAxis::thread_2};

void add_work_items(const std::shared_ptr<const Plan>& plan, const Target& target,
                    ParameterList& list) {
  std::vector<int64_t> items = {1};
  for (int64_t n = 16; n <= std::min<int64_t>(256, target.max_work_group_size); n *= 2)
    items.push_back(n);
  for (const Stage& stage : plan->stages)
    list.add_values(work_items(stage), "work-items of a group", items);
}

// Where the innermost loop has few iterations, the next ones fill a lockstep: between layouts of 4
// and of 16 channels, groups of 4 work-items moved 16 x 64 x 56 x 56 elements in 245 us on an H200.
size_t cut_items(int64_t wanted, size_t most_loops, std::vector<OuterLoop>& head,
                 std::vector<LoopPrimitive>& list) {
  constexpr int64_t kLockstep = 32;
  int64_t items = 1;
  size_t loops = 0;
  for (size_t at = head.size(); at-- > 0 && loops < most_loops && items < kLockstep;) {
    const OuterLoop loop = head[at];
    const int64_t more = largest_divisor(loop.extent, wanted / items);
    if (more == 1 && loop.extent > 1) break;
    ++loops;
    items *= more;
    if (more == loop.extent) continue;
    list.emplace_back(loop::Split{loop.name, more});
    OuterLoop inner = loop;
    inner.name += ".1", inner.extent = more;
    head[at].name += ".0", head[at].extent /= more;
    head.insert(head.begin() + static_cast<ptrdiff_t>(at) + 1, std::move(inner));
    break;
  }
  return items > 1 ? loops : 0;
}

std::string share_among_groups(const std::vector<OuterLoop>& head, size_t item_loops, bool is_plain,
                               const std::string& around, std::vector<LoopPrimitive>& list) {
  std::vector<std::string> groups;
  for (const OuterLoop& loop : head) groups.push_back(loop.name);
  for (size_t t = 0; t < item_loops; ++t) {
    list.emplace_back(loop::Bind{groups.back(), kItemAxes.at(t)});
    groups.pop_back();
  }
  groups = bind_loops(std::move(groups), ThreadAxis::group_0, list);
  return is_plain && item_loops == 0 ? groups.back() : around;
}

}  // namespace

const ExecutionRules kWorkGroupRules = {.shares_rows = true,
                                        .writes_out_parts = true,
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
