// SPDX-License-Identifier: Apache-2.0
#pragma once

// load_onnx: a model file as ONNX's own message, checked, with every shape that inference can tell.
// Only .cc files that read ONNX include its headers; the message is a forward declaration here.

#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/frontend/onnx_import.h"

namespace onnx {
class ModelProto;
}

namespace dovetail {

Result<std::shared_ptr<onnx::ModelProto>> load_onnx(const std::string& path,
                                                    const ImportOptions& options);

}  // namespace dovetail
