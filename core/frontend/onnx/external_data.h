// SPDX-License-Identifier: Apache-2.0
#pragma once

// read_external_data: moves tensor data that a model keeps in separate files into the model.
//
//   bert.onnx: initializer w, external {location: bert.onnx.data, offset: 4096, length: 768}
//   becomes    initializer w with 768 bytes of its own
//
// torch's exporter (`dynamo=True`) writes every model so. A location must be a plain file within
// the model's folder, also after links are followed, so that a model cannot read other files of the
// machine that imports it. If the model is itself a link, as in the caches of model hubs, its data
// may be in the folder of the link's target.

#include <string>

#include "core/base/result.h"

namespace onnx {
class ModelProto;
}

namespace dovetail {

// `path`: the model's. The error names the tensor, or the file.
Result<void> read_external_data(const std::string& path, onnx::ModelProto& model);

}  // namespace dovetail
