// SPDX-License-Identifier: Apache-2.0
//
// Random traces of matrix products whose reduction the work-items of a group share: partial sums in
// local memory, and inside them tiles of the factors that the same work-items fill.
//
//   loops: split(loop=k, factor=8) ; rfactor(k.0) ; … bind(m.1, thread.1) ; bind(n.1.0, thread.0) …
//   loops Y.rf: compute_at(stage=gmm, loop=n.0, scope=local) ; … bind(m, thread.1) ;
//       bind(n.0, thread.0) ; … cache_read(tensor=W, at=n.0, scope=local)
//
// Why a generator of its own: a free trace is hardly ever such a pair, whose loops must agree.
#pragma once

#include <random>
#include <string>

namespace dovetail::testing {

struct InGroupSum {
  std::string spec, trace;
};

InGroupSum in_group_sum(std::mt19937_64& rng);

}  // namespace dovetail::testing
