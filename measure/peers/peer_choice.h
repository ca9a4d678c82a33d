// SPDX-License-Identifier: Apache-2.0
#pragma once

// choose_implementations: of all that a peer offers for an operator, the fastest right one of each
// column, by a short timing of each.
//
//   const PeerChoice choice = choose_implementations(session, *integers, *real);
//   choice.free      {3, "jit:avx512_core any", "direct", 0.00087}
//   choice.rejected  {"jit_wino: element 5 is ..., expected ..."}
//
// An implementation is checked on small integers and on real data before it is timed. One whose
// first run took three times as long as the best so far is not timed.

#include <optional>
#include <string>
#include <vector>

#include "measure/peers/peer_session.h"

namespace dovetail {

struct ChosenImplementation {
  size_t index = 0;  // into what the peer offered
  std::string name = {};
  std::string algorithm = {};
  double seconds = 0;  // of the short timing
  friend bool operator==(const ChosenImplementation&, const ChosenImplementation&) = default;
};

struct PeerChoice {
  std::string reason = {};                          // why there is nothing at all
  std::optional<ChosenImplementation> free = {};    // conversions of activations not counted
  std::optional<ChosenImplementation> plain = {};   // framework layouts, conversions counted
  std::optional<ChosenImplementation> direct = {};  // the fastest free one that is direct
  std::vector<std::string> rejected = {};           // failed or wrong, one line each
  double max_rel_error = 0;                         // of the ones that were right
};

// Both data are of the same operator. Afterwards the session holds the operands of `real`.
PeerChoice choose_implementations(PeerSession& session, const CheckData& integers,
                                  const CheckData& real);

}  // namespace dovetail
