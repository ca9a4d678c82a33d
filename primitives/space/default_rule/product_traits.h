// SPDX-License-Identifier: Apache-2.0
#pragma once

// ProductTraits: facts about a product of tensors on a target that the default rule uses before it
// makes any choice.
//
//   const ProductTraits traits(plan of c2d:ci=64,co=64,h=56,w=56,k=3,p=1, cpu);
//   traits.rows                     w, h: the row axes that a tile has, innermost first
//   terms_of(traits.s)              576 multiply-adds an element
//   traits.weight_bytes()           147456
//   traits.is_memory_bound()        false: X fits the caches
//
// Separate because both the search of the tile and the choices that follow from the tile use it.

#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/target.h"
#include "primitives/space/contraction/contraction_plan.h"

namespace dovetail {

struct ProductTraits {
  ProductTraits(const ContractionPlan& plan, const Target& target);

  // Depthwise: X and W are multiplied lane by lane, and the taps of a window share rows.
  bool shares_vectors() const;
  // Channels that convolutions by tensor cores store together, of a depthwise one between them,
  // which then needs no conversion; 0: none. MobileNet-V2 in f16 has 17 depthwise convolutions, and
  // had as many conversions of 4 us each on an H200.
  int64_t channels_of_neighbours() const;
  int64_t weight_bytes() const;
  double panel_bytes(int64_t vectors) const;  // weights that a tile this wide reads
  bool x_is_large() const;                    // exceeds the caches
  bool w_is_small() const;
  // X is read from memory once, by a thread, and each element is multiplied by few weights.
  bool is_memory_bound() const;
  // X ends with the reduction and Y with the vector axis, which tiles of so many columns divide.
  bool is_product_of_rows(int64_t columns) const;
  // Whether tensors keep their order, as networks store them, so that the rows of a tile are
  // streams that prefetchers follow. In blocks of 16 a Zen 3 took 4 to 12 % longer (128 x 768 by
  // 768 x 768).
  bool keeps_order(int64_t columns) const;

  const ContractionPlan& plan;
  const ContractionFacts& s;
  const Target& target;
  std::vector<std::string> rows;
  // A group (contraction_plan.h) whose values vectors share, and one whose values they cannot.
  bool shares_group, repeats_group;
};

}  // namespace dovetail
