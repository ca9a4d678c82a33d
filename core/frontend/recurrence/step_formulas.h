// SPDX-License-Identifier: Apache-2.0
#pragma once

// What one step of an LSTM, a GRU or an RNN computes, as texts of regions over one example's number
// b and one hidden unit's number h:
//
//   RNN     H[b,h]=tanh(A[clamp(S[0],0,4),b,h]+P[b,h]+B[0,h]+B[0,h+8])
//
//   A   the inputs' share of all gates at all steps, [steps, batch, gates * hidden]
//   S   which step this is: a constant, so that all steps are the same region
//   P   the state's share of the gates, [batch, gates * hidden]
//   B   biases of the inputs' share, then of the state's, [directions, 2 * gates * hidden]
//   D   the state before (an LSTM's cell), [batch, hidden]
//   L   how many steps each example of the batch has, where that differs: a state stays as it is
//       behind them, and what a step gives is 0; E is the state before, of all but a GRU
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
  std::vector<std::string> activations;  // formulas over x, three a direction at most
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

// Of direction d. An LSTM makes its cell C, then H; with lengths V, what the step
// gives, comes last.
std::string lstm_step(const Recurrence& recurrence, size_t d);
std::string rnn_step(const Recurrence& recurrence, size_t d);
// A GRU that multiplies by its reset gate after the product with the state makes H in one step;
// else the first makes the update gate Z and G, the state times the reset gate, and the second
// reads Z as U and has the share of G as P.
std::string gru_step(const Recurrence& recurrence, size_t d);
std::string gru_gates(const Recurrence& recurrence, size_t d);
std::string gru_state(const Recurrence& recurrence, size_t d);

}  // namespace dovetail
