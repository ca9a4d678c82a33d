// SPDX-License-Identifier: Apache-2.0
#pragma once

// ControlFlow: replaces an If, a Loop, a Scan or an operator of sequences by plain nodes, if that
// is possible when the model is read.
//
//   If (c) {…} -> y, c known            the nodes of one branch
//   Loop (3, c, x) {…} -> y             the body's nodes three times, one after the other
//   Scan (s, x) {…} -> y                the same, once for each element along x's axis
//   SequenceAt (SequenceConstruct (a, b), 1) -> y       Identity (b) -> y
//
// A loop is unrolled one iteration at a time, since its condition may be known only once the
// previous iteration has been folded: the rest is a Loop again.
//
// Why unrolled and not run: a network is a list of regions, whose memory is planned and whose
// borders are chosen; exporters write loops of a few iterations, which then fuse and fold like any
// nodes. Longer ones, and endless ones, are refused.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace onnx {
class GraphProto;
class ModelProto;
class NodeProto;
class TensorProto;
}  // namespace onnx

namespace dovetail {

// Look-ups of constants and shapes by name, from the state of folding.
struct KnownValues {
  std::function<Result<std::optional<int64_t>>(const std::string&)> whole;  // one-element constants
  std::function<std::optional<std::vector<int64_t>>(const std::string&)> shape;
  std::function<Result<std::optional<std::vector<int64_t>>>(const std::string&)> wholes;
};

// Nodes and constants that replace a node; they define its outputs.
struct Expansion {
  std::vector<onnx::NodeProto> nodes;
  std::vector<onnx::TensorProto> initializers;
};

class ControlFlow {
 public:
  using Names = std::vector<std::string>;
  using Shapes = std::vector<std::optional<std::vector<int64_t>>>;

 public:
  // `inlined` counts the nodes inlined from bodies, over all folds of a model.
  ControlFlow(KnownValues known, int64_t opset, int64_t& inlined)
      : known_(std::move(known)), opset_(opset), inlined_(inlined) {}

  // nullopt: the node stays. Fails for a loop that is too long or bodies with too many nodes.
  Result<std::optional<Expansion>> expand(onnx::NodeProto& node);

 private:
  using Expanded = Result<std::optional<Expansion>>;

  Expanded expand_if(const onnx::NodeProto& node);
  Expanded expand_loop(onnx::NodeProto& node);
  Expanded unroll_once(onnx::NodeProto& node, int64_t carried, int64_t done);
  Expanded finish_loop(const onnx::NodeProto& node, int64_t carried, int64_t done) const;
  // `shapes`: those of the scanned inputs, in order.
  Expanded expand_scan(const onnx::NodeProto& node, const Shapes& shapes);
  Shapes scanned_shapes(const onnx::NodeProto& node) const;
  Expanded expand_batched_scan(const onnx::NodeProto& node);
  // Counts the nodes of a body inlined `times` times; fails if the model becomes too large.
  Result<void> count(const onnx::NodeProto& node, const onnx::GraphProto& body, int64_t times);

  // sequences.cc
  Expanded expand_sequence(const onnx::NodeProto& node);
  Result<void> note_sequence(const onnx::NodeProto& node);
  Result<std::optional<std::vector<std::string>>> split_names(const onnx::NodeProto& node,
                                                              Expansion& expansion) const;
  Expanded map_sequence(const onnx::NodeProto& node);
  Result<std::optional<size_t>> place_in(const onnx::NodeProto& node, int input, size_t size) const;

  KnownValues known_;
  int64_t opset_ = 0;
  int64_t& inlined_;
  std::map<std::string, Names> sequences_;  // names of their elements
};

}  // namespace dovetail
