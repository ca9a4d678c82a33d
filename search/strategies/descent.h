// SPDX-License-Identifier: Apache-2.0
#pragma once

// The strategy `descent`: random samples, then coordinate descent from the best of them: one
// parameter after another to a neighbouring value, as long as that is faster.
//
// M. Canesche, V. Rosário, E. Borin, F. Quintão Pereira: The Droplet Search Algorithm for Kernel
// Scheduling. ACM TACO 21(2), 2024; and, after 300 samples of Ansor: M. Canesche, G. Verma,
// F. Quintão Pereira: Explore as a Storm, Exploit as a Raindrop. arXiv 2406.20037.
//
// As there: a step that helped is tried again in the same direction first. What differs: the
// samples are of `random` and not of Ansor, so that this stays a baseline of its own; a neighbour
// must be faster by a fraction, where the paper tests the samples of two timings, since an
// observation has one time; a named choice has no neighbouring value, all its others are tried; at
// a local optimum, where Droplet ends, the descent starts again from the fastest point that it has
// not been to. While the last neighbours of a point are being measured, points two changes away
// fill the round.

#include "search/strategies/strategies.h"

namespace dovetail {

struct DescentOptions {
  int64_t samples = 300;
  double min_gain = 0.01;
};
std::vector<OptionField> fields_of(DescentOptions& options);

std::unique_ptr<Strategy> make_descent(const StrategyContext& context,
                                       const DescentOptions& options);

}  // namespace dovetail
