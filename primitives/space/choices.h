// SPDX-License-Identifier: Apache-2.0
//
// Choices: a point of a space by what its parameters are instead of by positions: what decode and
// the default rule read and write.
//
//   register_tile(c, "o") == 32   cache_tile(c, "h") == 4
//   chosen(c, {ParameterKind::storage, "X", "h"}) == kPad   …
//
// Parameters (T: a tensor, a: a tiled output axis, i: pure reduction, r: window axis):
//   phase.a           phases of an axis that is cut at a stride: 0 the outermost loop, 1 in the
//                     register tile; the sizes below count what lies above that cut
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
//   storage.W.r       what follows the last tap of a window, where the stride does not divide them:
//                     zeros (kPad) or a check (kGuard)
//   phase_storage     phases in the output's storage: 0 behind the rest of their axis, 1 outermost
//   channel_tiles.T   0: before the rows, 1: after them; of W column (0) or reduction (1) outermost
//   store_at.bias     0: a buffer of its own, 1: behind the weights along the reduction
//   pad_at.X          where the padding pass of X runs, see placement.h
//   cache_read.T      where tiles of T are copied, see placement.h
//   reduction_order   of the reduction's loops, see ReductionOrder
//   phase_order       0: phases' loops outermost, 1: inside the outer loops, where a tile of X
//                     serves all
//   outer_order cache_order    permutations of the outer loops and of the cache loops
//   rfactor           1: the top of the reduction is summed up apart
//   reduction_outside 1: the top of the reduction lies outside the cache loops
//   fuse              outer loops that threads share
//   stores            1: the output goes past the caches (CPU, outputs larger than L2); of
//                     Winograd in bands, its last stage's
//   prefetch.W        iterations ahead of the innermost reduction loop (CPU, weights beyond L2);
//                     0: not, kNextTile: for the next tile of columns, over all rows of this one
//   scope.T           memory scope
//   made_at.T         where T is made, see MadeAt: of Winograd's product (winograd/bands.h) and its
//                     weights (winograd/inner_weights.h), and of regions without a product
//   plane_storage     where Winograd's transformed tensors keep their planes: 0 outermost,
//                     1 innermost, around the channels
// and of regions without a product vector_axis.T (streams/stream_space.h)
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

// Why a list and not a map: a domain is asked thousands of times a second, with a handful of
// choices that are made anew each time; comparing their kinds costs less than a tree.
class Choices {
 public:
  Choices() = default;
  Choices(std::initializer_list<std::pair<ParameterId, int64_t>> choices) {
    for (const auto& [id, value] : choices) set(id, value);
  }

  // It is null where this space has no such parameter.
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
  // The choice must not be there yet.
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

// It gives the value that was chosen, and `otherwise` for a parameter that this space does not
// have.
inline int64_t chosen(const Choices& choices, const ParameterId& id, int64_t otherwise = 1) {
  const int64_t* value = choices.find(id);
  return value == nullptr ? otherwise : *value;
}

// These sizes are 1 where nothing is cut.
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

// How an input stores a dimension over which an output axis runs.
enum AxisStorage : int64_t {
  kPad = 0,          // zeros around it where the windows reach beyond
  kUnfoldTile = 1,   // the window of each register tile by itself (a split where nothing slides)
  kUnfoldCache = 2,  // the window of each cache tile
  kGuard = 3,        // as it is; reads outside are checked
};

// Where a stage runs that others read.
enum MadeAt : int64_t {
  kApart = 0,      // a kernel of its own
  kInside = 1,     // in rounds of its reader, in memory of the thread
  kWorkspace = 2,  // in rounds of its reader, in workspace
  kInlined = 3,    // wherever it is read
};
inline std::vector<std::string> made_at_labels() {
  return {"apart", "inside", "workspace", "inlined"};
}

// The prefetch of weights that is no number of iterations.
inline constexpr int64_t kNextTile = -1;

enum ReductionOrder : int64_t {
  kOuterWindowInner = 0,
  kWindowOuterInner = 1,
  kOuterInnerWindow = 2
};

}  // namespace dovetail
