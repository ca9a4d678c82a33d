// SPDX-License-Identifier: Apache-2.0
#pragma once

// ProductTraits: what the default rule asks about a product of tensors on a target before any
// choice is made.
//
//   const ProductTraits traits(structure_of(c2d:ci=64,co=64,h=56,w=56,k=3,p=1), cpu);
//   traits.rows                     w, h: the row axes that a tile has, innermost first
//   traits.terms()                  576 multiply-adds an element
//   traits.weight_bytes()           147456
//   traits.is_stream()              false: X fits the caches
//
// Why apart: the search of the tile and what follows from the tile both ask.

#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/target.h"
#include "primitives/space/structure.h"

namespace dovetail {

struct ProductTraits {
  ProductTraits(const Structure& structure, const Target& target);

  bool is_cpu() const { return target.name.kind == TargetKind::cpu; }
  // Depthwise: a vector of X meets a vector of W, and the taps of a window share the rows.
  bool shares_vectors() const;
  // Pairs: the vectors of a tile take the same values of X.
  bool pairs_share_values() const;
  int64_t weight_bytes() const;
  double panel_bytes(int64_t vectors) const;  // of the weights that a tile so wide meets
  bool x_is_large() const;                    // more than caches hold
  bool w_is_small() const;
  // Memory decides: X comes from it once, and each element meets few weights.
  bool is_stream() const;

  const Structure& s;
  const Target& target;
  std::vector<std::string> rows;
};

}  // namespace dovetail
