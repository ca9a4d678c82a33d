// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/memory_bound/stage_choices.h"

#include <algorithm>

#include "primitives/space/memory_bound/execution.h"
#include "primitives/space/memory_bound/row_sums.h"

namespace dovetail::memory_bound {

bool StageChoices::is_inside(const Stage& stage) const {
  const int64_t place = chosen_of(compute_at(stage), kApart);
  return stage.is_inner() && (place == kInside || place == kWorkspace);
}

bool StageChoices::is_inlined(const Stage& stage) const {
  return stage.is_inner() && chosen_of(compute_at(stage), kApart) == kInlined;
}

bool StageChoices::has_rounds(const Stage& root) const {
  return std::ranges::any_of(plan_.stages, [&](const Stage& stage) {
    return stage.root == root.name && is_inside(stage);
  });
}

bool StageChoices::is_staged(const Stage& stage) const {
  return !rules_of(target_).transposes_in_registers && !is_inlined(stage) &&
         vectors(stage).across.has_value();
}

std::optional<int64_t> StageChoices::lanes_in_parts(const Stage& stage, int64_t items) const {
  const bool is_near = chosen_of(compute_at(stage), kApart) == kInside;
  if (!stage.is_inner() || !stage.reduces() || !is_near ||
      chosen_of(items_along(plan_.stage(stage.root)), kAlongRounds) != kAlongRowsInParts)
    return std::nullopt;
  return lanes_of_part(stage, items, target_);
}

VectorChoice StageChoices::vectors(const Stage& stage) const {
  const auto which = static_cast<size_t>(chosen_of(vector_axis(stage), 0));
  return stage.vectors.at(which);
}

bool StageChoices::is_common(const Stage& root, size_t axis) const {
  const std::vector<size_t> common = plan_.common_axes(root);
  return std::ranges::find(common, axis) != common.end();
}

int64_t StageChoices::extent(const Stage& stage, size_t axis) const {
  const StageAxis& own = stage.axes[axis];
  if (own.reduction || !is_inside(stage)) return own.extent;
  const Stage& root = plan_.stage(stage.root);
  for (const size_t a : plan_.common_axes(root))
    if (root.axes[a].run == own.run && root.axes[a].part == own.part)
      return chosen_of(round_of(root, root.axes[a]));
  return own.extent;
}

int64_t StageChoices::unbroken(const Stage& stage, size_t axis) const {
  const int64_t all = extent(stage, axis), cut = stage.axes[axis].cut;
  return cut > 0 ? std::min(all, cut) : all;
}

// A round of the vector axis is one vectorized loop.
int64_t StageChoices::lanes(const Stage& stage) const {
  const VectorChoice choice = vectors(stage);
  if (!choice.axis) return 1;
  const StageAxis& axis = stage.axes[*choice.axis];
  int64_t whole = unbroken(stage, *choice.axis);
  if (stage.root == stage.name && has_rounds(stage) && is_common(stage, *choice.axis))
    return std::min(chosen_of(round_of(stage, axis)), kMaxLanes);
  if (is_inside(stage) && !axis.reduction && whole < axis.extent) return std::min(whole, kMaxLanes);
  const int64_t wanted = axis.reduction && !choice.across
                             ? vector_lanes(target_) * side_by_side_of(stage)
                             : vector_lanes(target_);
  if (rules_of(target_).cuts_tails) return std::min({wanted, whole, kMaxLanes});
  int64_t lanes = std::min<int64_t>(wanted, whole);
  while (whole % lanes != 0) --lanes;
  return lanes;
}

std::optional<size_t> StageChoices::row_axis(const Stage& stage) const {
  const VectorChoice choice = vectors(stage);
  if (choice.across) return choice.across;
  for (size_t a = stage.output_axes(); a-- > 0;) {
    const StageAxis& axis = stage.axes[a];
    const bool is_block = axis.part == AxisPart::block;  // must not have a tail
    if (choice.axis == a || axis.is_bounded || axis.decides || is_block || extent(stage, a) == 1)
      continue;
    const bool is_round = stage.root == stage.name && has_rounds(stage) && is_common(stage, a);
    return is_round ? std::nullopt : std::optional(a);
  }
  return std::nullopt;
}

int64_t StageChoices::round_bytes(const Stage& stage) const {
  int64_t bytes = 4;
  for (size_t a = 0; a < stage.output_axes(); ++a) bytes *= extent(stage, a);
  return bytes;
}

}  // namespace dovetail::memory_bound
