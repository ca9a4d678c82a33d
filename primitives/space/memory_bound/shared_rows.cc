// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/memory_bound/shared_rows.h"

#include <algorithm>

#include "primitives/divisors.h"
#include "primitives/space/machine_facts.h"

namespace dovetail::memory_bound {
namespace {

constexpr int64_t kWantedItems = 64;  // a group
constexpr int64_t kLeastItems = 16;   // fewer leave most lanes of a lockstep idle

std::vector<const Stage*> stages_of(const Plan& plan, const Stage& root) {
  std::vector<const Stage*> stages;
  for (const Stage& stage : plan.stages)
    if (stage.is_inner() && stage.root == root.name) stages.push_back(&stage);
  return stages;
}

// Whether all its output axes are those of the root's rows.
bool is_of_a_row(const Plan& plan, const Stage& root, const Stage& stage) {
  const std::vector<size_t> common = plan.common_axes(root);
  for (size_t a = 0; a < stage.output_axes(); ++a) {
    const bool is_common = std::ranges::any_of(common, [&](size_t r) {
      return root.axes[r].run == stage.axes[a].run && root.axes[r].part == stage.axes[a].part;
    });
    if (!is_common && stage.axes[a].extent > 1) return false;
  }
  return true;
}

// Position of the root's axis along which its work-items make parts; nullopt: its rows have none.
std::optional<size_t> axis_of_items(const Plan& plan, const Stage& root) {
  const std::vector<size_t> common = plan.common_axes(root);
  for (size_t a = root.output_axes(); a-- > 0;)
    if (std::ranges::find(common, a) == common.end() && root.axes[a].extent > 1) return a;
  return std::nullopt;
}

int64_t reduced(const Stage& stage) {
  int64_t terms = 1;
  for (const StageAxis& axis : stage.axes) terms *= axis.reduction ? axis.extent : 1;
  return terms;
}

// All stages are reduced along rows or vanish in those that read them.
bool are_rows(const Plan& plan, const Stage& root) {
  const std::vector<const Stage*> stages = stages_of(plan, root);
  return std::ranges::any_of(stages, &Stage::reduces) &&
         std::ranges::all_of(stages, [&](const Stage* stage) {
           return stage->reduces() ? is_of_a_row(plan, root, *stage) : stage->may_vanish;
         });
}

}  // namespace

bool may_share_rows(const Plan& plan, const StageChoices& choices, const Stage& root) {
  const VectorChoice vectors = choices.vectors(root);
  if (!choices.has_rounds(root) || !root.gathers.empty() || root.reduces() || vectors.across ||
      !axis_of_items(plan, root) || (vectors.axis && choices.is_common(root, *vectors.axis)))
    return false;
  return std::ranges::all_of(stages_of(plan, root), [&](const Stage* stage) {
    const bool is_near = choices.chosen_of(compute_at(*stage), kApart) == kInside;
    return !choices.is_inside(*stage) || (is_near && is_of_a_row(plan, root, *stage));
  });
}

void want_shared_rows(const Plan& plan, const Target& target, const Stage& root, Choices& choices) {
  const std::optional<size_t> along = axis_of_items(plan, root);
  if (!along || !are_rows(plan, root)) return;
  const int64_t extent = root.axes[*along].extent, lanes = vector_lanes(target);
  const int64_t items =
      largest_divisor(extent % lanes == 0 ? extent / lanes : extent, kWantedItems);
  int64_t rows = 1, terms = 0;
  for (const size_t a : plan.common_axes(root)) rows *= root.axes[a].extent;
  for (const Stage* stage : stages_of(plan, root))
    if (stage->reduces()) terms += reduced(*stage);
  if (items < kLeastItems || rows * items * terms > kTermsOfALaunch * target.compute_units) return;
  for (const Stage* stage : stages_of(plan, root))
    choices.set(compute_at(*stage), stage->reduces() ? kInside : kInlined);
  for (const size_t a : plan.common_axes(root)) choices.set(round_of(root, root.axes[a]), 1);
  choices.set(items_along(root), 1);
  choices.set(side_by_side(root), 1);
  choices.set(work_items(root), kWantedItems);
}

}  // namespace dovetail::memory_bound
