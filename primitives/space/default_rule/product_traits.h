// SPDX-License-Identifier: Apache-2.0
#pragma once

// ProductTraits: facts about a product of tensors on a target that the default rule uses before it
// makes any choice.
//
//   const ProductTraits traits(structure_of(c2d:ci=64,co=64,h=56,w=56,k=3,p=1), cpu);
//   traits.rows                     w, h: the row axes that a tile has, innermost first
//   terms_of(traits.s)              576 multiply-adds an element
//   traits.weight_bytes()           147456
//   traits.is_stream()              false: X fits the caches
//
// Separate because both the search of the tile and the choices that follow from the tile use it.

#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/target.h"
#include "primitives/space/structure.h"

namespace dovetail {

struct ProductTraits {
  ProductTraits(const Structure& structure, const Target& target);

  bool on_threads() const { return runs_threads(target); }
  // Depthwise: X and W are multiplied lane by lane, and the taps of a window share rows.
  bool shares_vectors() const;
  // Pairs, where loads broadcast: the vectors of a tile share values of X.
  bool pairs_share_values() const;
  int64_t weight_bytes() const;
  double panel_bytes(int64_t vectors) const;  // weights that a tile this wide reads
  bool x_is_large() const;                    // exceeds the caches
  bool w_is_small() const;
  // Memory-bound: X is read from memory once, and each element is multiplied by few weights.
  bool is_stream() const;

  const Structure& s;
  const Target& target;
  std::vector<std::string> rows;
};

}  // namespace dovetail
