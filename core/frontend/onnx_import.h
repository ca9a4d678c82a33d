// SPDX-License-Identifier: Apache-2.0
#pragma once

// import_onnx: an ONNX model as a Graph, shapes inferred and checked, ready for partition().
//
//   const Graph graph = TRY(import_onnx("resnet18.onnx"));
//   Conv -> BatchNormalization -> Add(residual) -> Relu     becomes    c2d:…+bias -> Add -> Relu
//
// An import takes these steps, one function each, in this order:
//   load_onnx         read, check, put the given shapes and constants in (model/held_inputs.h),
//                     infer the other shapes; in turn with
//     drop_unread     nodes that no output needs
//     fold_constants  values computed from constants and known shapes; If, Loop, Scan and sequences
//                     become plain nodes (model/control_flow.h)
//   convert_onnx      the same as a Graph; no ONNX types after this
//   drop_empty        operands and parts without elements
//   drop_identities   Identity, and Dropout at inference
//   expand_recurrences  LSTM, GRU and RNN step by step
//   fold_nodes        remaining nodes of constants, of any operator
//   recognise_chains  Gelu and LayerNormalization from chains of simpler operators
//   lower_operators   Conv, ConvTranspose, Gemm, MatMul get their spec
//   check_elements    no constant index is beyond its axis, no Reshape loses an element
//   fold_normalizations
//                     BatchNormalization, an Add and a Mul of constants join the convolution
//                     before them
// A later pass decides which nodes run together (partition/partition.h).
//
// A convolution whose weights are a graph's input (as in ONNX's own tests) treats them as constants
// that the caller supplies once. A complex operator that has no spec (4 spatial axes, double,
// weights computed at run time) stays in the graph with the reason; other operators are kept
// unchanged. The error for an invalid model is one line.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

// Where ONNX's shape inference runs, which crashes on some invalid models: in a forked child, whose
// crash is an error here, or in the calling process, which a library must not fork.
enum class Inference : uint8_t { in_child, in_process };

struct ImportOptions {
  std::map<std::string, std::vector<int64_t>> shapes = {};  // for inputs with dynamic dimensions
  std::map<std::string, std::string> constants = {};        // values of inputs to make constant
  Inference inference = Inference::in_child;
};

Result<Graph> import_onnx(const std::string& path, const ImportOptions& options = {});
// The same of a file's bytes; a model whose constants are in files of their own needs the path.
Result<Graph> import_onnx(std::span<const std::byte> model, const ImportOptions& options = {});

// The inputs of the file that `constants` fixes, which the graph lacks: for other engines that run
// the file.
Result<std::vector<GraphTensor>> held_inputs(const std::string& path, const ImportOptions& options);

// Parses the command line's NAME=1,3,224,224 or NAME=1x3x224x224.
Result<std::pair<std::string, std::vector<int64_t>>> parse_shape_option(std::string_view text);
// Parses NAME=16000; the number stays text, to be parsed by the input's type.
Result<std::pair<std::string, std::string>> parse_constant_option(std::string_view text);

}  // namespace dovetail
