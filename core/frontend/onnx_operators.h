// SPDX-License-Identifier: Apache-2.0
#pragma once

// The class of each of ONNX's operator types.

#include <string_view>

#include "core/ir/graph/graph.h"

namespace dovetail {

// `unknown` for control flow, recurrence, random numbers, sequences, and whatever is not ONNX's.
OperatorClass classify_onnx(std::string_view type);

}  // namespace dovetail
