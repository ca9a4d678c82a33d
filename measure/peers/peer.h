// SPDX-License-Identifier: Apache-2.0
#pragma once

// Peer: another library that computes an operator, timed for comparison.
//
//   const auto peer = TRY(make_peer("onednn", 1));
//   TRY(peer->offer(op));        // {{"brgconv:avx512_core any"}, {"jit:avx512_core any"}, ...}
//   const auto prepared = TRY(peer->prepare(0, inputs));
//   prepared->run();             // what is timed
//   prepared->output();          // in framework order, for the check
//
// A peer offers all of its implementations, and bench takes the fastest correct one: a library's
// own choice is not always its best. Constants (weights, bias) are converted in prepare().
// Activations have two columns:
//
//   free    operands arrive and leave in the layout that the implementation likes best
//   row_major   they arrive and leave in framework layout; conversions are part of run()
//
// An implementation that works on framework layouts belongs to both. Peers run in dovetail-peers, a
// separate program, because their libraries bring threads, signal handlers and a second of
// start-up.

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/operator/operator.h"
#include "core/ir/value/named_arrays.h"

namespace dovetail {

struct Implementation {
  std::string name = {};             // unique within one offer: "brgconv:avx512_core any"
  std::string algorithm = "direct";  // or winograd: judged by a wider tolerance
  bool free = true;
  bool row_major = false;
  friend bool operator==(const Implementation&, const Implementation&) = default;
};

// One implementation with its operands in place. Outputs start as NaN.
class PreparedRun {
 public:
  virtual ~PreparedRun() = default;
  virtual void run() = 0;
  virtual std::vector<float> output() = 0;
};

class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string version() const = 0;  // "oneDNN 2.6.3"
  // The implementations that the peer has. The error says in one line what in the operator it
  // cannot do.
  virtual Result<std::vector<Implementation>> offer(const Operator& op) = 0;
  // `index` is into the last offer; `inputs` has all tensors that the operator reads, in f32.
  virtual Result<std::unique_ptr<PreparedRun>> prepare(size_t index, const NamedArrays& inputs) = 0;
};

// The peers that this version knows, built in or not, by the names that `--against` takes.
inline const std::vector<std::string>& known_peers() {
  static const std::vector<std::string> kNames = {"onednn", "libtorch", "openblas"};
  return kNames;
}

// A bias is part of a library's own operation if it is the first epilogue.
inline bool has_own_bias(const Operator& op) {
  return !op.epilogues.empty() && op.epilogues.front().kind == EpilogueKind::bias;
}

// `threads`: number that it may use. Fails for a peer that is unknown or was not built.
Result<std::unique_ptr<Peer>> make_peer(const std::string& name, int threads);

// Each in a file of its own; null where CMake took absent/NAME.cc, as the library was not found.
std::unique_ptr<Peer> make_onednn_peer(int threads);
std::unique_ptr<Peer> make_libtorch_peer(int threads);
std::unique_ptr<Peer> make_openblas_peer(int threads);

}  // namespace dovetail
