// SPDX-License-Identifier: Apache-2.0
//
// Choices: a point of a space with names instead of positions: what decode and the default rule
// read and write.
//
//   at("R.o") == 32   at("M.h") == 4   at("X.h") == kPad   …
//
// Parameters (a: tiled output axis, i: pure reduction, r: window axis):
//   phase.a    phases of an axis that is cut at a stride: 0 the outermost loop, 1 in the register
//              tile; the sizes below count what lies above that cut
//   R.a        register tile, elements
//   M.a        cache tile, register tiles (work-items on OpenCL)
//   U.i        unrolled part of the reduction, elements
//   K.i        inner part of the reduction, unrolled parts
//   unroll.r   0: a loop, 1: written out
//   Y.a        tile of the output's layout, elements (0: none)
//   X.a        how X stores the axis, see AxisStorage
//   X.i W.i    tile of the reduction in X and W, elements (0: none)
//   W.a        tile of the column axis in W; of a window: what follows its last tap, where the
//              stride does not divide them: zeros (kPad) or a check (kGuard)
//   levels.T   1 or 2 levels of tiles in T's layout; block.T.a: tiles of a that the second level
//              keeps together (layout_levels.h)
//   Y.phase    phases in the output's storage: 0 behind the rest of their axis, 1 outermost
//   store.bias 0: a buffer of its own, 1: behind the weights along the reduction (store_at)
//   place.X .Y channel tiles before (0) or after (1) the rows
//   place.W    column (0) or reduction (1) outermost
//   rfactor    1: the top of the reduction is summed up apart
//   at.X.pad stage.X stage.W: where copies run, see placement.h
//   order.phase 0: phases' loops outermost, 1: inside the outer loops, where a tile of X serves all
//   order.reduction order.outer order.cache kout fuse scope.X scope.W
//   stores     1: the output goes past the caches (CPU, outputs larger than L2)
//   prefetch.W iterations ahead of the innermost reduction loop (CPU, weights beyond L2); 0: not
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace dovetail {

using Choices = std::map<std::string, int64_t, std::less<>>;

// What was chosen; `otherwise` for parameters that this space does not have.
inline int64_t chosen(const Choices& choices, const std::string& name, int64_t otherwise = 1) {
  const auto it = choices.find(name);
  return it == choices.end() ? otherwise : it->second;
}

// How an input stores a dimension over which an output axis runs.
enum AxisStorage : int64_t {
  kPad = 0,          // zeros around it where the windows reach beyond
  kUnfoldTile = 1,   // the window of each register tile by itself (a split where nothing slides)
  kUnfoldCache = 2,  // the window of each cache tile
  kGuard = 3,        // as it is; reads outside are checked
};

enum ReductionOrder : int64_t {
  kOuterWindowInner = 0,
  kWindowOuterInner = 1,
  kOuterInnerWindow = 2
};

}  // namespace dovetail
