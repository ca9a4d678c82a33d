// SPDX-License-Identifier: Apache-2.0
#pragma once

// choose_within: what is best for all regions of a graph together, of the choices whose constants
// fit into so many bytes, and whose regions need no more for temporaries.
//
//                        conv3                     conv4                    together
//   a byte costs 0       F(4,3), 57 MB, 2.5 ms     F(2,3), 67 MB, 3.0 ms    124 MB, 5.5 ms
//   20 ns a kB           F(4,3)                    direct, 28 MB, 4.0 ms     85 MB, 6.5 ms
//   30 ns a kB           inner weights, 7 MB, 3.7  direct                    35 MB, 7.7 ms
//
// A byte is given a price, the same for all regions, and layouts are chosen as ever; the least
// price at which the choice fits is found by halving. No choice with as few bytes as the one found
// is faster; one with a few more that would still fit may be missed, between two prices.
//
// Why a price: layouts of neighbours depend on each other, which the choice by costs knows already,
// and a sum over the whole graph is what it minimizes. (Lagrange's multiplier; H. Everett,
// Generalized Lagrange Multiplier Method, 1963.)

#include <cstdint>
#include <optional>
#include <vector>

#include "deploy/layouts/choose_layouts.h"

namespace dovetail {

int64_t constant_bytes(const LayoutAlternatives& alternatives, const std::vector<size_t>& picked);

struct MemoryShares {
  int64_t constants = 0;    // bytes of all of them together
  int64_t temporaries = 0;  // those of one region, and what it is given and makes
};

// None where not even the choice with the least bytes fits. Of temporaries only what a region alone
// needs is known here: what else is alive then, a plan of the whole network says.
std::optional<LayoutChoice> choose_within(const Partition& parts,
                                          const LayoutAlternatives& alternatives,
                                          const LayoutCosts& costs, const MemoryShares& most);

}  // namespace dovetail
