// SPDX-License-Identifier: Apache-2.0
#pragma once

// LibTorch's implementations of an operator and of any other known region: choices of forms, and a
// run of one of them.

#include "measure/peers/libtorch/torch_run.h"

namespace dovetail::torch_peer {

// The error says what LibTorch cannot do.
Result<std::vector<Choice>> operator_choices(const Operator& op);
std::unique_ptr<PreparedRun> operator_run(const Operator& op, const Choice& choice,
                                          const PeerInputs& inputs);

Result<std::vector<Choice>> region_choices(const KnownRegion& known);
std::unique_ptr<PreparedRun> region_run(const KnownRegion& known, const Choice& choice,
                                        const PeerInputs& inputs);

}  // namespace dovetail::torch_peer
