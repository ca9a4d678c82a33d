// SPDX-License-Identifier: Apache-2.0
//
// In place of the files that read ONNX, in a build without it (DOVETAIL_ONNX=OFF).
#include "core/base/fail.h"
#include "core/frontend/onnx_import.h"

namespace dovetail {

Result<Graph> import_onnx(const std::string& path, const ImportOptions&) {
  return fail("model {}: this build reads no ONNX; expected one configured with -DDOVETAIL_ONNX=ON",
              path);
}
Result<Graph> import_onnx(std::span<const std::byte>, const ImportOptions& options) {
  return import_onnx("in memory", options);
}
Result<std::vector<GraphTensor>> held_inputs(const std::string&, const ImportOptions&) {
  return std::vector<GraphTensor>();
}

}  // namespace dovetail
