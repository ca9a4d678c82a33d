// SPDX-License-Identifier: Apache-2.0
#include "tests/models/sample_models.h"

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "core/frontend/graph_edit.h"
#include "core/frontend/import_steps.h"

namespace dovetail {
namespace {

using Shape = std::vector<int64_t>;

// Appends layers to a graph; each takes and gives the tensor that flows through.
class NetworkBuilder {
 public:
  NetworkBuilder(std::string name, uint64_t seed) : random_(seed) { graph_.name = std::move(name); }

  TensorId input(const std::string& name, Shape shape) {
    const TensorId id = add_tensor(graph_, name, ElementType::f32, std::move(shape));
    graph_.inputs.push_back(id);
    return id;
  }

  TensorId convolution(const std::string& name, TensorId from, int64_t channels, int64_t kernel,
                       int64_t stride) {
    const Shape in = shape_of(from);
    const TensorId weight =
        uniform(name + ".weight", {channels, in[1], kernel, kernel}, in[1] * kernel * kernel);
    const TensorId bias = uniform(name + ".bias", {channels}, in[1] * kernel * kernel);
    return node(name, "Conv", {from, weight, bias},
                {in[0], channels, extent(in[2], kernel, stride), extent(in[3], kernel, stride)},
                window(kernel, stride, {{"dilations", Shape{1, 1}}, {"group", int64_t{1}}}));
  }

  TensorId max_pool(const std::string& name, TensorId from, int64_t kernel, int64_t stride) {
    const Shape in = shape_of(from);
    return node(name, "MaxPool", {from},
                {in[0], in[1], extent(in[2], kernel, stride), extent(in[3], kernel, stride)},
                window(kernel, stride, {}));
  }

  TensorId relu(const std::string& name, TensorId from) {
    return node(name, "Relu", {from}, shape_of(from), {});
  }
  TensorId add(const std::string& name, TensorId a, TensorId b) {
    return node(name, "Add", {a, b}, shape_of(a), {});
  }

  TensorId average_pool(const std::string& name, TensorId from) {
    const Shape in = shape_of(from);
    return node(name, "GlobalAveragePool", {from}, {in[0], in[1], 1, 1}, {});
  }

  TensorId flatten(const std::string& name, TensorId from) {
    const Shape in = shape_of(from);
    return node(name, "Flatten", {from}, {in[0], in[1] * in[2] * in[3]}, {{"axis", int64_t{1}}});
  }

  TensorId linear(const std::string& name, TensorId from, int64_t features) {
    const Shape in = shape_of(from);
    const TensorId weight = uniform(name + ".weight", {features, in[1]}, in[1]);
    const TensorId bias = uniform(name + ".bias", {features}, in[1]);
    return node(name, "Gemm", {from, weight, bias}, {in[0], features}, {{"transB", int64_t{1}}});
  }

  Graph finish(TensorId output) {
    graph_.outputs = {output};
    return compact(graph_);
  }

 private:
  using Attributes = std::map<std::string, Attribute>;

  static Attributes window(int64_t kernel, int64_t stride, Attributes attributes) {
    attributes["kernel_shape"] = Shape{kernel, kernel};
    attributes["pads"] = Shape(4, kernel / 2);
    attributes["strides"] = Shape{stride, stride};
    return attributes;
  }

  Shape shape_of(TensorId id) const { return *tensor_of(graph_, id).shape; }
  static int64_t extent(int64_t in, int64_t kernel, int64_t stride) {
    return (in + 2 * (kernel / 2) - kernel) / stride + 1;
  }

  // Even over ±sqrt(6 / fan_in) / 2: half of He's bound, so that residual sums stay of size one.
  TensorId uniform(const std::string& name, const Shape& shape, int64_t fan_in) {
    const double bound = std::sqrt(6.0 / static_cast<double>(fan_in)) / 2;
    ConstantData data;
    data.floats.resize(static_cast<size_t>(num_elements(shape)));
    // Not std::uniform_real_distribution: its numbers differ between standard libraries.
    for (float& element : data.floats)
      element = static_cast<float>((static_cast<double>(random_() >> 11) * 0x1p-52 - 1) * bound);
    return add_constant(graph_, name, ElementType::f32, shape, std::move(data));
  }

  TensorId node(const std::string& name, const std::string& type, std::vector<TensorId> inputs,
                Shape shape, Attributes attributes) {
    const TensorId output =
        add_tensor(graph_, name + ".output", ElementType::f32, std::move(shape));
    graph_.nodes.push_back({.name = name,
                            .operator_class = classify_onnx(type),
                            .type = type,
                            .op = {},
                            .attributes = std::move(attributes),
                            .inputs = std::move(inputs),
                            .outputs = {output}});
    return output;
  }

  Graph graph_;
  std::mt19937_64 random_;
};

// Two 3x3 convolutions beside a shortcut, which is a 1x1 convolution where the shape changes.
TensorId basic_block(NetworkBuilder& net, const std::string& name, TensorId from, int64_t channels,
                     int64_t stride, bool reshapes) {
  TensorId x = net.convolution(name + ".conv1", from, channels, 3, stride);
  x = net.relu(name + ".relu1", x);
  x = net.convolution(name + ".conv2", x, channels, 3, 1);
  const TensorId shortcut =
      reshapes ? net.convolution(name + ".downsample.0", from, channels, 1, stride) : from;
  x = net.add(name + ".add", x, shortcut);
  return net.relu(name + ".relu2", x);
}

}  // namespace

Graph build_resnet18(uint64_t seed) {
  NetworkBuilder net("resnet18", seed);
  TensorId x = net.input("input", {1, 3, 224, 224});
  x = net.convolution("conv1", x, 64, 7, 2);
  x = net.relu("relu", x);
  x = net.max_pool("maxpool", x, 3, 2);
  int64_t channels = 64;
  for (int stage = 1; stage <= 4; ++stage, channels *= 2)
    for (int block = 0; block < 2; ++block) {
      const bool reshapes = stage > 1 && block == 0;
      x = basic_block(net, fmt::format("layer{}.{}", stage, block), x, channels, reshapes ? 2 : 1,
                      reshapes);
    }
  x = net.average_pool("avgpool", x);
  x = net.flatten("flatten", x);
  return net.finish(net.linear("fc", x, 1000));
}

std::vector<std::string> sample_model_names() { return {"resnet18"}; }

Result<Graph> build_sample_model(const std::string& name, uint64_t seed) {
  if (name == "resnet18") return build_resnet18(seed);
  return fail(fmt::format("unknown model \"{}\"; expected one of {}", name,
                          fmt::join(sample_model_names(), " ")));
}

}  // namespace dovetail
