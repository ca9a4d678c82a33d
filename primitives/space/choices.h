// SPDX-License-Identifier: Apache-2.0
//
// Choices: a point of a space, keyed by the identity of its parameters instead of their positions.
// The default rule writes it and decode reads it.
//
//   register_tile(c, "o") == 32   cache_tile(c, "h") == 4
//   chosen(c, {ParameterKind::storage, "X", "h"}) == kPad   …
//
// Parameters (T: a tensor, a: a tiled output axis, i: pure reduction, r: window axis):
//   phase.a           loop over the phases of an axis that is split at a stride: 0 outermost, 1 in
//                     the register tile; the sizes below count iterations of the split's outer part
//   register_tile.a   elements
//   cache_tile.a      register tiles (work-items on OpenCL)
//   unroll_part.i     unrolled part of the reduction, elements
//   inner_part.i      inner part of the reduction, unrolled parts
//   unroll.r          0: a loop, 1: written out
//   layout_tile.T.a   tile of a in the output's layout, or of the column axis in W's, elements
//                     (0: none)
//   layout_tile.T.i   tile of the reduction in X and W, elements (0: none)
//   layout_levels.T   1 or 2 levels of tiles in T's layout
//   layout_block.T.a  tiles of a that the second level keeps together (layout_levels.h)
//   storage.X.a       how X stores the axis, see AxisStorage
//   storage.W.r       after the last tap of a window whose taps the stride does not divide: zeros
//                     (kPad) or a bounds check (kGuard)
//   phase_storage     phases in the output's layout: 0 inside the rest of their axis, 1 outermost
//   channel_tiles.T   0: outside the rows, 1: inside them; in W the columns (0) or the reduction
//                     (1) are outermost
//   pad_at.X          where the padding pass of X runs, see placement.h
//   cache_read.T      where tiles of T are copied, see placement.h
//   reduction_order   order of the reduction's loops, see ReductionOrder
//   phase_order       0: phase loops outermost, 1: inside the outer loops, so that all phases reuse
//                     one tile of X
//   outer_order cache_order    permutations of the outer loops and of the cache loops
//   rfactor           1: the top (outer part) of the reduction becomes partial sums (CPU)
//   reduction_parts.i parts of the reduction that work-groups sum up apart (OpenCL); 1: none
//   reduction_items.i work-items of a group along the reduction, which sums up their parts in local
//                     memory (OpenCL); 1: none
//   row_pad.T         padding elements after each row of a copied tile (OpenCL)
//   double_buffer     1: the next round's copies are loaded while a round computes (OpenCL)
//   rounds_behind     1: the products of the round before may still run while a round's are issued
//   reduction_outside 1: the top of the reduction runs outside the cache loops
//   fuse              number of outer loops fused into the parallel one
//   stores            1: non-temporal stores of the output (CPU, outputs larger than L2); with
//                     Winograd in bands, of its last stage's output
//   prefetch.W        distance in iterations of the innermost reduction loop (CPU, weights larger
//                     than L2); 0: none, kNextTile: the next tile of columns
//   scope.T           memory scope
//   compute_at.T      where T is computed, see ComputePlace: Winograd's product (winograd/bands.h),
//                     its weights (winograd/inner_weights.h), and tensors of memory-bound regions
//   plane_storage     planes of Winograd's transformed tensors: 0 outermost, 1 directly outside the
//                     channels
// Regions without a product also have vector_axis.T (memory_bound/memory_bound_space.h).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "primitives/space/parameter_names.h"

namespace dovetail {

struct Choice {
  ParameterKind kind;
  std::string tensor, axis;
  int64_t value = 0;
};

// A list and not a map: domains are evaluated thousands of times a second, each time on a fresh
// handful of choices; comparing kinds one by one costs less than a tree.
class Choices {
 public:
  Choices() = default;
  Choices(std::initializer_list<std::pair<ParameterId, int64_t>> choices) {
    for (const auto& [id, value] : choices) set(id, value);
  }

  // Returns null where this space has no such parameter.
  const int64_t* find(const ParameterId& id) const {
    for (const Choice& choice : list_)
      if (is_of(choice, id)) return &choice.value;
    return nullptr;
  }
  void set(const ParameterId& id, int64_t value) {
    for (Choice& choice : list_)
      if (is_of(choice, id)) return void(choice.value = value);
    append(id, value);
  }
  // Precondition: the list has no choice of this id yet.
  void append(const ParameterId& id, int64_t value) {
    list_.push_back({id.kind, std::string(id.tensor), std::string(id.axis), value});
  }

  std::vector<Choice>::iterator begin() { return list_.begin(); }
  std::vector<Choice>::const_iterator begin() const { return list_.begin(); }
  std::vector<Choice>::const_iterator end() const { return list_.end(); }

 private:
  static bool is_of(const Choice& choice, const ParameterId& id) {
    return choice.kind == id.kind && choice.axis == id.axis && choice.tensor == id.tensor;
  }

  std::vector<Choice> list_;
};

// Returns the chosen value, or `otherwise` where this space has no such parameter.
inline int64_t chosen(const Choices& choices, const ParameterId& id, int64_t otherwise = 1) {
  const int64_t* value = choices.find(id);
  return value == nullptr ? otherwise : *value;
}

// Tile sizes are 1 where nothing is cut.
inline int64_t register_tile(const Choices& choices, std::string_view axis) {
  return chosen(choices, {ParameterKind::register_tile, axis});
}
inline int64_t cache_tile(const Choices& choices, std::string_view axis) {
  return chosen(choices, {ParameterKind::cache_tile, axis});
}
inline int64_t unroll_part(const Choices& choices, std::string_view axis) {
  return chosen(choices, {ParameterKind::unroll_part, axis});
}
inline int64_t inner_part(const Choices& choices, std::string_view axis) {
  return chosen(choices, {ParameterKind::inner_part, axis});
}
inline int64_t layout_tile(const Choices& choices, std::string_view tensor, std::string_view axis,
                           int64_t otherwise = 0) {
  return chosen(choices, {ParameterKind::layout_tile, tensor, axis}, otherwise);
}
inline int64_t storage(const Choices& choices, std::string_view tensor, std::string_view axis) {
  return chosen(choices, {ParameterKind::storage, tensor, axis}, 0);
}

// How an input stores a dimension that an output axis indexes.
enum AxisStorage : int64_t {
  kPad = 0,          // padded with zeros where the windows reach beyond it
  kUnfoldTile = 1,   // window of each register tile stored apart (a split where nothing slides)
  kUnfoldCache = 2,  // window of each cache tile stored apart
  kGuard = 3,        // unchanged; reads outside are bounds-checked
};

// Where a stage that other stages read is computed.
enum ComputePlace : int64_t {
  kApart = 0,      // a kernel of its own
  kInside = 1,     // in rounds of its consumer's loop, in thread-private memory
  kWorkspace = 2,  // in rounds of its consumer's loop, in workspace
  kInlined = 3,    // in every consumer
};
inline std::vector<std::string> compute_place_labels() {
  return {"apart", "inside", "workspace", "inlined"};
}

// The value of prefetch.W that means the next tile instead of a number of iterations.
inline constexpr int64_t kNextTile = -1;

// The register and cache tiles of axes, which a domain may read. The ids borrow the names.
inline std::vector<ParameterId> tiles_of(const std::vector<std::string>& axes) {
  std::vector<ParameterId> ids;
  for (const std::string& axis : axes) {
    ids.emplace_back(ParameterKind::register_tile, axis);
    ids.emplace_back(ParameterKind::cache_tile, axis);
  }
  return ids;
}

enum ReductionOrder : int64_t {
  kOuterWindowInner = 0,
  kWindowOuterInner = 1,
  kOuterInnerWindow = 2
};

}  // namespace dovetail
