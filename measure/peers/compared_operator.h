// SPDX-License-Identifier: Apache-2.0
#pragma once

// compared_operator: the operator that peers compute to be compared with a region.
//
//   compared_operator(gmm:m=8,n=8,k=8)         that operator
//   compared_operator(Y[i]=max(A[i],0):i=8)    an error: a written region has no operator
//
// Libraries compute most written regions, too, but know them by an operator's name (softmax,
// pooling), which a region does not have: such an operator is compared as an ONNX model of one node
// (`run MODEL --peer`).

#include "core/base/result.h"
#include "core/ir/region/region.h"

namespace dovetail {

// The error is one line.
Result<Operator> compared_operator(const Region& region);

}  // namespace dovetail
