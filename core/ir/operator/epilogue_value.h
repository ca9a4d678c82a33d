// SPDX-License-Identifier: Apache-2.0
//
// Epilogues as values: what is applied to a finished sum before it is stored.
//   +bias+relu    acc  ->  max(acc + bias[o], 0)
#pragma once

#include <vector>

#include "core/ir/operator/operator.h"
#include "core/ir/value/value.h"

namespace dovetail {

// `reads` are the values of bias and add, in the order in which the epilogues ask for them.
Value apply_epilogues(Value sum, const std::vector<Epilogue>& epilogues,
                      const std::vector<Value>& reads);

}  // namespace dovetail
