// SPDX-License-Identifier: Apache-2.0
#pragma once

// ONNX's own test cases: a folder with model.onnx and test_data_set_N/{input,output}_I.pb (Debian's
// package libonnx-testdata has some 1,500 of them).
//
//   for (const std::string& folder : TRY(list_onnx_cases(root)))
//     const OnnxCase one = TRY(read_onnx_case(folder));
//     one.graph                     imported; one.graph.inputs[i] gets one.data_sets[s].inputs[i]
//     one.data_sets[s].outputs[i]   what one.graph.outputs[i] must be

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

inline constexpr const char* kOnnxTestDataFolder = "/usr/share/libonnx-testdata/data";

struct OnnxDataSet {
  std::vector<GraphTensor> inputs;   // constants with data, in the order of the graph's inputs
  std::vector<GraphTensor> outputs;  // what must come out
};

struct OnnxCase {
  std::string name;  // folder's name: test_conv_with_strides_padding
  Graph graph;
  std::vector<OnnxDataSet> data_sets;
};

// One tensor as a constant with data.
Result<GraphTensor> read_onnx_tensor(const std::string& path);

// ONNX's data have bf16 as its bits, in u16. They were made by cutting off the lower half of a
// float: rounded to nearest, as Cast says, a number differs by up to a unit in the last place.
GraphTensor with_bfloats(GraphTensor bits);
inline constexpr double kCutBfloat = 0x1p-7;

// Folders below `root` that hold a model.onnx, sorted.
Result<std::vector<std::string>> list_onnx_cases(const std::string& root);

// Imports the model and reads its data; the number of tensors and their shapes must be the graph's.
Result<OnnxCase> read_onnx_case(const std::string& folder);

}  // namespace dovetail
