// SPDX-License-Identifier: Apache-2.0
#pragma once

// RegisterTile: the accumulators that the default trace keeps in registers, chosen by a formula
// from the shape and the target alone.
//
//   best_tile(traits of gmm:m=128,n=768,k=768 on a Zen 4)     two vectors by 8 rows
//
// With nv vectors and rw × rh × rd rows, acc = nv·rw·rh·rd accumulators within the registers, it
// maximises
//
//   use · min(1, acc / 12) / max(1, loads + 0.37)
//       · (1 - 0.02 [rh > 1] - 0.02 [rd > 1]) · (1 - 0.004 |acc - 15|)
//       · (weights larger than L2 ? 1 - 0.3 / rows : 1) + 0.0005·rw
//   use   = useful share of the padded iteration domain
//   loads = (rows + nv) / acc, values loaded per multiply-add
//
// (Two multiply-adds and two loads a cycle with a latency of four: 12 accumulators hide it, and one
// load per multiply-add is too many.) With 16 registers 10 accumulators are wanted (depthwise 4),
// and padding costs a copy: use is multiplied by K / (K + 12), K the multiply-adds of an element.
// Where both inputs have the vector axis (depthwise), loads is 0.5 and 7 accumulators are wanted
// instead of 15, so that the window's weights stay in registers beside them. Phases (transposed
// convolutions) join the tile where that saves loads, because they share values of X; each axis of
// them costs 3 %.

#include <cstdint>
#include <vector>

#include "primitives/space/default_rule/product_traits.h"

namespace dovetail {

struct RegisterTile {
  std::vector<int64_t> phases;  // per axis split at a stride: phases in the tile, 1 or all
  int64_t vectors = 1;
  std::vector<int64_t> rows;  // per row axis of the traits, innermost first

  int64_t accumulators() const;
};

RegisterTile best_tile(const ProductTraits& traits);

}  // namespace dovetail
