// SPDX-License-Identifier: Apache-2.0
#pragma once

// ONNX models for tests, from ONNX's own text form:
//
//   import_text("g (float[1,3,8,8] x, float[4,3,3,3] w) => (y) { y = Conv(x, w) }")

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/frontend/onnx_import.h"
#include "core/frontend/partition/partition.h"
#include "core/ir/graph/graph.h"

namespace dovetail::testing {

// A path in a folder of this process, which is removed at its end.
std::string scratch_path(const std::string& name);
std::string write_file(const std::string& name, std::string_view bytes);

// The bytes of the model; the text is a graph, operator set 13 unless said otherwise.
std::string model_bytes(const std::string& graph_text, int opset = 13);

Result<Graph> import_bytes(std::string_view bytes, const ImportOptions& options = {});
Result<Graph> import_text(const std::string& graph_text, const ImportOptions& options = {});
// The nodes' printed lines of an imported graph in regions, or the error. Elementwise nodes stay
// apart, so that the lines say what an import makes of each.
std::string nodes_of(const std::string& graph_text, const ImportOptions& options = {},
                     const PartitionOptions& partition_options = {.elementwise = false});

// Numbers that differ from each other, without a pattern that could hide a swapped index.
std::vector<float> numbers(int64_t count, int64_t seed);
// The text of a node that makes a constant: `name = Constant<…>() `.
std::string constant(const std::string& name, const std::vector<int64_t>& shape,
                     const std::vector<float>& values);

}  // namespace dovetail::testing
