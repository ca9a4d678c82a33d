// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkBuilder: networks as graphs of ONNX's operator types, a layer a call, with seeded weights.
//
//   NetworkBuilder net("net", 18);
//   TensorId x = net.input("input", {1, 3, 224, 224});
//   x = net.relu("relu", net.convolution("conv1", x, {64, {7, 7}, {2, 2}, {3, 3}}));
//   return net.finish({x});
//
// Each takes and gives the tensor that flows through, in the nodes that torch's exporter writes for
// that layer at operator set 13; a layer of several nodes names them after it.

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/ir/graph/graph.h"

namespace dovetail {

struct ConvolutionLayer {
  int64_t channels = 1;
  std::vector<int64_t> kernel, stride, pads;  // an axis each; as many zeros before as behind
  int64_t groups = 1;
};

class NetworkBuilder {
 public:
  using Shape = std::vector<int64_t>;

  // `real`: the type of weights and of what flows through.
  NetworkBuilder(std::string name, uint64_t seed, ElementType real = ElementType::f32)
      : real_(real), random_(seed) {
    graph_.name = std::move(name);
  }

  TensorId input(const std::string& name, Shape shape);
  TensorId integer_input(const std::string& name, Shape shape);
  Graph finish(std::vector<TensorId> outputs);
  Shape shape_of(TensorId id) const;

  TensorId convolution(const std::string& name, TensorId from, const ConvolutionLayer& layer);
  TensorId max_pool(const std::string& name, TensorId from, const ConvolutionLayer& layer);
  TensorId average_pool(const std::string& name, TensorId from);  // over all spatial axes
  TensorId relu(const std::string& name, TensorId from);
  TensorId relu6(const std::string& name, TensorId from);
  TensorId add(const std::string& name, TensorId a, TensorId b);
  TensorId multiply(const std::string& name, TensorId a, TensorId b);
  TensorId hard_sigmoid(const std::string& name, TensorId from);
  TensorId hard_swish(const std::string& name, TensorId from);  // x * clip(x + 3, 0, 6) / 6
  TensorId flatten(const std::string& name, TensorId from);

  // A Gemm of [m,k]; and a MatMul of any rank with an Add of the bias.
  TensorId linear(const std::string& name, TensorId from, int64_t features);
  TensorId dense(const std::string& name, TensorId from, int64_t features);
  TensorId matmul(const std::string& name, TensorId a, TensorId b);
  TensorId layer_norm(const std::string& name, TensorId from);  // over the last axis
  TensorId gelu(const std::string& name, TensorId from);
  TensorId tanh(const std::string& name, TensorId from);
  TensorId softmax(const std::string& name, TensorId from);  // over the last axis
  TensorId times(const std::string& name, TensorId from, float factor);
  TensorId reshape(const std::string& name, TensorId from, Shape shape);
  TensorId transpose(const std::string& name, TensorId from, const Shape& order);

  // Rows of a table of weights; one element of an axis.
  TensorId embedding(const std::string& name, TensorId ids, Shape table);
  TensorId select(const std::string& name, TensorId from, int64_t axis, int64_t place);
  TensorId integers(const std::string& name, Shape shape, std::vector<int64_t> values);
  // The addend of attention scores: 0 where a mask of [b,n] is 1, the lowest number where it is 0.
  TensorId masked_scores(const std::string& name, TensorId mask);

 private:
  using Attributes = std::map<std::string, Attribute>;

  TensorId uniform(const std::string& name, const Shape& shape, int64_t fan_in);
  TensorId constant(const std::string& name, float value);
  TensorId node(const std::string& name, const std::string& type, std::vector<TensorId> inputs,
                Shape shape, Attributes attributes = {});
  TensorId typed_node(ElementType made, const std::string& name, const std::string& type,
                      std::vector<TensorId> inputs, Shape shape, Attributes attributes = {});
  TensorId joined(const std::string& name, const std::string& type, TensorId from, TensorId other);

  Graph graph_;
  ElementType real_;
  std::mt19937_64 random_;
};

}  // namespace dovetail
