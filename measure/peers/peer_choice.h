// SPDX-License-Identifier: Apache-2.0
#pragma once

// choose_implementations: picks the fastest correct implementation of a peer for each column, by a
// short timing of each.
//
//   const PeerChoice choice = choose_implementations(session, *integers, *real);
//   choice.free      {3, "jit:avx512_core any", "direct", 0.00087}
//   choice.rejected  {"jit_wino: element 5 is ..., expected ..."}
//
// An implementation is checked on small integers and on real data before it is timed. One whose
// checked runs took three times as long as the best so far is not timed.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measure/check/output_check.h"
#include "measure/peers/peer_session.h"

namespace dovetail {

// Checks whether another library computed the operator's definition, on the candidates' data.
//
// Direct algorithms must be exact on small integers, like candidates. On real data
//
//   |y - ref| <= c * scale + 1e-5 * epilogue_scale      c = 1e-6 (winograd: 1e-4)
//
// with the reference's scales (measure/reference/reference.h). Winograd rounds even small integers:
// it is checked on real data only.

// False if this data cannot check the algorithm.
bool is_judged_by(const std::string& algorithm, const CheckData& data);

// `output` is in framework order.
OutputCheck check_peer_output(const CheckData& data, const std::string& algorithm,
                              std::span<const float> output);

struct ChosenImplementation {
  size_t index = 0;  // index in the peer's offer
  std::string name = {};
  std::string algorithm = {};
  double seconds = 0;  // by the short timing
  friend bool operator==(const ChosenImplementation&, const ChosenImplementation&) = default;
};

struct PeerChoice {
  std::string reason = {};                             // set if there is no implementation
  std::optional<ChosenImplementation> free = {};       // conversions of activations not counted
  std::optional<ChosenImplementation> row_major = {};  // framework layouts, conversions counted
  std::optional<ChosenImplementation> direct = {};  // the fastest free one with algorithm "direct"
  std::vector<std::string> rejected = {};           // failed or wrong, one line each
  double max_rel_error = 0;                         // over the correct ones
};

// Both data are of the same operator. Afterwards the session has the operands of `real` loaded.
PeerChoice choose_implementations(PeerSession& session, const CheckData& integers,
                                  const CheckData& real);

}  // namespace dovetail
