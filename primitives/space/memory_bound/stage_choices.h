// SPDX-License-Identifier: Apache-2.0
//
// StageChoices: the loops of a stage that the choices of a point determine, stated once so that
// domains, decoding and the default rule agree.
#pragma once

#include "core/ir/target.h"
#include "primitives/space/choices.h"
#include "primitives/space/memory_bound/plan.h"

namespace dovetail::memory_bound {

// Lanes of one vectorized loop; wider ones are cut into the target's vectors.
inline constexpr int64_t kMaxLanes = 64;

inline ParameterId compute_at(const Stage& stage) {
  return {ParameterKind::compute_at, stage.tensor};
}
inline ParameterId vector_axis(const Stage& stage) {
  return {ParameterKind::vector_axis, stage.tensor};
}
inline ParameterId side_by_side(const Stage& stage) {
  return {ParameterKind::register_tile, stage.tensor, ""};
}
inline ParameterId rows_of(const Stage& stage) {
  return {ParameterKind::register_tile, stage.tensor, "rows"};
}
inline ParameterId round_of(const Stage& root, const StageAxis& axis) {
  return {ParameterKind::cache_tile, root.tensor, axis.loop};
}
// 0: a loop; 1: written out; more: in parts of so many iterations.
inline ParameterId written_out(const Stage& stage, const StageAxis& axis) {
  return {ParameterKind::unroll, stage.tensor, axis.loop};
}
// Order of the tiles of a transposing copy; 1: the loop along the axis that is read is innermost.
inline ParameterId tile_order(const Stage& stage) {
  return {ParameterKind::outer_order, stage.tensor};
}
inline ParameterId work_items(const Stage& root) {
  return {ParameterKind::cache_tile, root.tensor, ""};
}

// Along which axes a root has work-items (shared_rows.h).
inline constexpr int64_t kAlongRounds = 0, kAlongRows = 1, kAlongRowsInParts = 2;
inline ParameterId items_along(const Stage& root) {
  return {ParameterKind::cache_order, "", root.tensor};
}

class StageChoices {
 public:
  StageChoices(const Plan& plan, const Target& target, const Choices& choices)
      : plan_(plan), target_(target), choices_(choices) {}

  bool is_inside(const Stage& stage) const;  // computed in rounds of its root
  bool is_inlined(const Stage& stage) const;
  bool has_rounds(const Stage& root) const;  // some stage is computed inside it
  bool shares_rows(const Stage& root) const {
    return chosen_of(items_along(root), kAlongRounds) != kAlongRounds;
  }
  // Neighbouring elements of a part of what the stage reduces, where so many work-items of its root
  // share that in parts (row_sums.h); nullopt: each reduces the whole row.
  std::optional<int64_t> lanes_in_parts(const Stage& stage, int64_t items) const;
  bool is_staged(const Stage& stage) const;  // a copy through a device's local memory
  VectorChoice vectors(const Stage& stage) const;
  // Iterations of the stage's loop over the axis: all, or those of a round.
  int64_t extent(const Stage& stage, size_t axis) const;
  // Length of the segments of these iterations that contain no bound.
  int64_t unbroken(const Stage& stage, size_t axis) const;
  bool is_common(const Stage& root, size_t axis) const;
  int64_t lanes(const Stage& stage) const;  // extent of the vectorized loop
  int64_t side_by_side_of(const Stage& stage) const { return chosen_of(side_by_side(stage)); }
  int64_t rows(const Stage& stage) const { return chosen_of(rows_of(stage)); }
  int64_t chosen_of(const ParameterId& id, int64_t otherwise = 1) const {
    return chosen(choices_, id, otherwise);
  }
  // The output axis that is unrolled in rows; nullopt: none.
  std::optional<size_t> row_axis(const Stage& stage) const;
  // Bytes of the stage's tensor that one round computes.
  int64_t round_bytes(const Stage& stage) const;

 private:
  const Plan& plan_;
  const Target& target_;
  const Choices& choices_;
};

}  // namespace dovetail::memory_bound
