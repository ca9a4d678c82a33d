// SPDX-License-Identifier: Apache-2.0
#pragma once

// export_onnx: writes a Graph of ONNX's operator types as an ONNX model (operator set 13).
// For the models that scripts/make-models builds and for tests; specs have no ONNX form.

#include <string>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

Result<void> export_onnx(const Graph& graph, const std::string& path);

}  // namespace dovetail
