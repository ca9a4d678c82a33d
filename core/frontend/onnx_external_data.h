// SPDX-License-Identifier: Apache-2.0
#pragma once

// read_external_data: the numbers that a model keeps in files beside it, put into the model.
//
//   bert.onnx: initializer w, external {location: bert.onnx.data, offset: 4096, length: 768}
//   becomes    initializer w with 768 bytes of its own
//
// Why here: torch's exporter (`dynamo=True`) writes every model so. A location is a plain file
// within the model's folder, also after links are followed, so that a model reads nothing else of a
// machine that imports it. Where the model is itself a link, as in the caches of model hubs, its
// data may lie in the folder that the link leads to.

#include <string>

#include "core/base/result.h"

namespace onnx {
class ModelProto;
}

namespace dovetail {

// `path` is the model's. The error names the tensor, or the file.
Result<void> read_external_data(const std::string& path, onnx::ModelProto& model);

}  // namespace dovetail
