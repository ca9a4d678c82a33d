// SPDX-License-Identifier: Apache-2.0
#pragma once

// LibTorch's implementations of an operator: choices of forms, and a run of one of them.

#include "measure/peers/libtorch/torch_run.h"

namespace dovetail::torch_peer {

// The error says what LibTorch cannot do.
Result<std::vector<Choice>> operator_choices(const Operator& op);
std::unique_ptr<PreparedRun> operator_run(const Operator& op, const Choice& choice,
                                          const NamedArrays& inputs);

}  // namespace dovetail::torch_peer
