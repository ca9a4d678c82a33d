// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/memory_bound/shared_rows.h"

#include <algorithm>

#include "primitives/divisors.h"
#include "primitives/space/machine_facts.h"
#include "primitives/space/memory_bound/row_sums.h"

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

// The root's vectors along the axis of its rows that has most of them, which its work-items share;
// 1: its rows have one element.
int64_t vectors_of_row(const Plan& plan, const Stage& root, const Target& target) {
  const std::vector<size_t> common = plan.common_axes(root);
  int64_t most = 1;
  for (size_t a = 0; a < root.output_axes(); ++a) {
    if (std::ranges::find(common, a) != common.end()) continue;
    const int64_t extent = root.axes[a].extent, lanes = vector_lanes(target);
    const bool has_vectors = root.vectors.front().axis == a && extent % lanes == 0;
    most = std::max(most, has_vectors ? extent / lanes : extent);
  }
  return most;
}

bool has_rows(const Plan& plan, const Stage& root) {
  const std::vector<size_t> common = plan.common_axes(root);
  for (size_t a = 0; a < root.output_axes(); ++a)
    if (std::ranges::find(common, a) == common.end() && root.axes[a].extent > 1) return true;
  return false;
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

// Terms of all sums of all rows, which each work-item of a group adds up.
int64_t terms_again(const Plan& plan, const Stage& root) {
  int64_t rows = 1, terms = 0;
  for (const size_t a : plan.common_axes(root)) rows *= root.axes[a].extent;
  for (const Stage* stage : stages_of(plan, root))
    if (stage->reduces()) terms += reduced(*stage);
  return rows * terms;
}

}  // namespace

bool may_share_rows(const Plan& plan, const StageChoices& choices, const Stage& root) {
  const VectorChoice vectors = choices.vectors(root);
  if (!choices.has_rounds(root) || !root.gathers.empty() || root.reduces() || vectors.across ||
      !has_rows(plan, root) || (vectors.axis && choices.is_common(root, *vectors.axis)))
    return false;
  return std::ranges::all_of(stages_of(plan, root), [&](const Stage* stage) {
    const bool is_near = choices.chosen_of(compute_at(*stage), kApart) == kInside;
    return !choices.is_inside(*stage) || (is_near && is_of_a_row(plan, root, *stage));
  });
}

void want_shared_rows(const Plan& plan, const Target& target, const Stage& root, Choices& choices) {
  if (!are_rows(plan, root)) return;
  const int64_t items = largest_divisor(vectors_of_row(plan, root, target), kWantedItems);
  if (items < kLeastItems) return;
  const bool is_in_parts = std::ranges::all_of(stages_of(plan, root), [&](const Stage* stage) {
    return !stage->reduces() || lanes_of_part(*stage, items, target).has_value();
  });
  if (!is_in_parts && terms_again(plan, root) * items > kTermsOfALaunch * target.compute_units)
    return;
  for (const Stage* stage : stages_of(plan, root))
    choices.set(compute_at(*stage), stage->reduces() ? kInside : kInlined);
  for (const size_t a : plan.common_axes(root)) choices.set(round_of(root, root.axes[a]), 1);
  choices.set(items_along(root), is_in_parts ? kAlongRowsInParts : kAlongRows);
  choices.set(side_by_side(root), 1);
  choices.set(work_items(root), kWantedItems);
}

}  // namespace dovetail::memory_bound
