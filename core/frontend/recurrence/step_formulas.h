// SPDX-License-Identifier: Apache-2.0
#pragma once

// The computation of one step of an LSTM, a GRU or an RNN, as texts of regions over the example b
// and the hidden unit h:
//
//   RNN     H[b,h]=tanh(A[clamp(S[0],0,4),b,h]+P[b,h]+B[0,h]+B[0,h+8])
//
//   A   the inputs' share of all gates at all steps, [steps, batch, gates * hidden]
//   S   the step's number: a constant tensor, so that all steps are the same region
//   P   the state's share of the gates, [batch, gates * hidden]
//   B   biases of the inputs' share, then of the state's, [directions, 2 * gates * hidden]
//   D   the state before (an LSTM's cell), [batch, hidden]
//   L   the number of steps of each example of the batch, if they differ: after them the state is
//       kept, and the step's output is 0; E is then the state before, except for a GRU (D)
//   Q   an LSTM's peepholes, [directions, 3 * hidden]

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

struct Recurrence {
  std::string kind;  // LSTM, GRU or RNN
  int64_t steps = 0, batch = 0, inputs = 0, hidden = 0, directions = 1;
  std::vector<std::string> activations;  // formulas over x, at most three per direction
  double clip = 0;                       // 0: nothing is clipped
  bool input_forget = false;
  bool resets_product = false;  // GRU's linear_before_reset
  bool has_bias = false, has_peepholes = false, has_lengths = false;

  int64_t gates() const { return kind == "LSTM" ? 4 : kind == "GRU" ? 3 : 1; }
  size_t activations_each() const { return kind == "LSTM" ? 3 : kind == "GRU" ? 2 : 1; }
};

// The activations of all directions as formulas over x; the error names one that is unknown.
Result<std::vector<std::string>> activation_formulas(const GraphNode& node,
                                                     const Recurrence& recurrence);

// The step of direction d. Outputs: an LSTM's cell C, then the state H; with lengths the step's
// output V comes last.
std::string lstm_step(const Recurrence& recurrence, size_t d);
std::string rnn_step(const Recurrence& recurrence, size_t d);
// A GRU that multiplies by its reset gate after the product with the state computes H by gru_step;
// otherwise gru_gates computes the update gate Z and G, the state times the reset gate, and
// gru_state reads Z as U, and the share of G as P.
std::string gru_step(const Recurrence& recurrence, size_t d);
std::string gru_gates(const Recurrence& recurrence, size_t d);
std::string gru_state(const Recurrence& recurrence, size_t d);

}  // namespace dovetail
