// SPDX-License-Identifier: Apache-2.0
#pragma once

// choose_within: the choice of layouts with the least cost whose constants fit into a byte limit,
// as do the temporaries of each of its regions.
//
//                        conv3                     conv4                    together
//   a byte costs 0       F(4,3), 57 MB, 2.5 ms     F(2,3), 67 MB, 3.0 ms    124 MB, 5.5 ms
//   20 ns a kB           F(4,3)                    direct, 28 MB, 4.0 ms     85 MB, 6.5 ms
//   30 ns a kB           inner weights, 7 MB, 3.7  direct                    35 MB, 7.7 ms
//
// Each byte of constants gets a price, the same in all regions, and layouts are chosen by cost as
// usual; bisection finds the least price at which the choice fits. No choice with at most as many
// bytes is faster; one with a few more that would still fit may be missed, between two prices.
//
// Why a price: neighbours' layouts depend on each other, which the choice by costs handles already,
// and priced bytes are one more term of the sum that it minimizes. (Lagrange's multiplier; H.
// Everett, Generalized Lagrange Multiplier Method, 1963.)

#include <cstdint>
#include <vector>

#include "deploy/layouts/choose_layouts.h"

namespace dovetail {

int64_t constant_bytes(const LayoutAlternatives& alternatives, const std::vector<size_t>& picked);

struct MemoryShares {
  int64_t constants = 0;    // bytes of all regions' constants together
  int64_t temporaries = 0;  // bytes of one region's temporaries, inputs and outputs
};

struct LimitedChoice {
  LayoutChoice choice;  // if none fits: the one with the fewest bytes of constants
  bool fits = true;
};

// A region's temporaries are checked alone: other buffers alive at the same time are known only to
// a plan of the whole network.
LimitedChoice choose_within(const Partition& parts, const LayoutAlternatives& alternatives,
                            const LayoutCosts& costs, const MemoryShares& most);

}  // namespace dovetail
