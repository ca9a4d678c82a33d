// SPDX-License-Identifier: Apache-2.0
#include "tests/models/sample_models.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/base/fail.h"
#include "tests/models/network_builder.h"

namespace dovetail {
namespace {

using Shape = NetworkBuilder::Shape;

struct NetworkSize {
  bool small = false;
  int64_t batch = 1;
};

// The same kernel, stride and padding along all axes.
ConvolutionLayer even_layer(size_t axes, int64_t channels, int64_t kernel, int64_t stride,
                            int64_t groups = 1) {
  return {channels, Shape(axes, kernel), Shape(axes, stride), Shape(axes, kernel / 2), groups};
}

// Two convolutions of width 3 beside a shortcut, which is one of width 1 where the shape changes.
TensorId basic_block(NetworkBuilder& net, const std::string& name, TensorId from, int64_t channels,
                     int64_t stride, bool reshapes) {
  const size_t axes = net.shape_of(from).size() - 2;
  TensorId x = net.convolution(name + ".conv1", from, even_layer(axes, channels, 3, stride));
  x = net.relu(name + ".relu1", x);
  x = net.convolution(name + ".conv2", x, even_layer(axes, channels, 3, 1));
  const TensorId shortcut = reshapes ? net.convolution(name + ".downsample.0", from,
                                                       even_layer(axes, channels, 1, stride))
                                     : from;
  x = net.add(name + ".add", x, shortcut);
  return net.relu(name + ".relu2", x);
}

// Four stages of two blocks, then a mean of all places and a Gemm.
Graph residual_stages(NetworkBuilder& net, TensorId x, int64_t channels, int64_t classes) {
  for (int stage = 1; stage <= 4; ++stage, channels *= 2)
    for (int block = 0; block < 2; ++block) {
      const bool reshapes = stage > 1 && block == 0;
      x = basic_block(net, fmt::format("layer{}.{}", stage, block), x, channels, reshapes ? 2 : 1,
                      reshapes);
    }
  x = net.average_pool("avgpool", x);
  x = net.flatten("flatten", x);
  return net.finish({net.linear("fc", x, classes)});
}

Graph resnet18(NetworkBuilder net, const NetworkSize& size) {
  const int64_t pixels = size.small ? 32 : 224, channels = size.small ? 16 : 64;
  TensorId x = net.input("input", {size.batch, 3, pixels, pixels});
  x = net.convolution("conv1", x, even_layer(2, channels, 7, 2));
  x = net.relu("relu", x);
  x = net.max_pool("maxpool", x, even_layer(2, channels, 3, 2));
  return residual_stages(net, x, channels, size.small ? 10 : 1000);
}

Graph resnet3d18(NetworkBuilder net, const NetworkSize& size) {
  const bool small = size.small;
  const int64_t frames = small ? 4 : 16, pixels = small ? 16 : 112, channels = small ? 16 : 64;
  TensorId x = net.input("input", {size.batch, 3, frames, pixels, pixels});
  x = net.convolution("stem.0", x, {channels, {3, 7, 7}, {1, 2, 2}, {1, 3, 3}});
  x = net.relu("stem.2", x);
  return residual_stages(net, x, channels, small ? 10 : 400);
}

// Channels times a width, as a multiple of 8 that is not more than a tenth below.
int64_t scaled_channels(int64_t channels, double width) {
  const double wanted = static_cast<double>(channels) * width;
  const auto nearest = std::max<int64_t>(8, static_cast<int64_t>(wanted + 4) / 8 * 8);
  return static_cast<double>(nearest) < 0.9 * wanted ? nearest + 8 : nearest;
}

// A 1x1 convolution to more channels, one a channel, and a 1x1 convolution back, beside a shortcut.
TensorId inverted_residual(NetworkBuilder& net, const std::string& name, TensorId from,
                           int64_t channels, int64_t expansion, int64_t stride) {
  const int64_t in = net.shape_of(from)[1], hidden = in * expansion;
  TensorId x = from;
  int layer = 0;
  const auto activated = [&](const ConvolutionLayer& convolution) {
    const std::string own = fmt::format("{}.conv.{}", name, layer++);
    x = net.relu6(own + ".2", net.convolution(own + ".0", x, convolution));
  };
  if (expansion > 1) activated(even_layer(2, hidden, 1, 1));
  activated(even_layer(2, hidden, 3, stride, hidden));
  x = net.convolution(fmt::format("{}.conv.{}", name, layer), x, even_layer(2, channels, 1, 1));
  return stride == 1 && in == channels ? net.add(name + ".add", from, x) : x;
}

Graph mobilenet_v2(NetworkBuilder net, const NetworkSize& size) {
  struct Stage {
    int64_t expansion, channels, blocks, stride;
  };
  constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                               {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
  const bool small = size.small;
  const int64_t pixels = small ? 64 : 224;
  const double width = small ? 0.25 : 1;
  TensorId x = net.input("input", {size.batch, 3, pixels, pixels});
  x = net.convolution("features.0.0", x, even_layer(2, scaled_channels(32, width), 3, 2));
  x = net.relu6("features.0.2", x);
  int number = 1;
  for (const auto& [expansion, channels, blocks, stride] : kStages)
    for (int64_t block = 0; block < blocks; ++block)
      x = inverted_residual(net, fmt::format("features.{}", number++), x,
                            scaled_channels(channels, width), expansion, block == 0 ? stride : 1);
  x = net.convolution("features.18.0", x, even_layer(2, small ? 320 : 1280, 1, 1));
  x = net.relu6("features.18.2", x);
  x = net.average_pool("avgpool", x);
  x = net.flatten("flatten", x);
  return net.finish({net.linear("classifier.1", x, small ? 10 : 1000)});
}

struct BertSize {
  int64_t batch, layers, hidden, heads, tokens, words;
};

// Attention of all heads: softmax(q k' / sqrt(d) + mask) v.
TensorId attention(NetworkBuilder& net, const std::string& name, TensorId x, TensorId mask,
                   const BertSize& size) {
  const int64_t depth = size.hidden / size.heads;
  const auto of_heads = [&](const std::string& what, const Shape& order) {
    const std::string own = name + ".self." + what;
    const TensorId all = net.dense(own, x, size.hidden);
    const TensorId split =
        net.reshape(own + ".Reshape", all, {size.batch, size.tokens, size.heads, depth});
    return net.transpose(own + ".Transpose", split, order);
  };
  const TensorId query = of_heads("query", {0, 2, 1, 3}), key = of_heads("key", {0, 2, 3, 1});
  const TensorId value = of_heads("value", {0, 2, 1, 3});
  TensorId scores = net.matmul(name + ".self.scores", query, key);
  scores = net.times(name + ".self.scale", scores, 1 / std::sqrt(static_cast<float>(depth)));
  scores = net.softmax(name + ".self.softmax", net.add(name + ".self.mask", scores, mask));
  TensorId mixed = net.matmul(name + ".self.mixed", scores, value);
  mixed = net.transpose(name + ".self.Transpose", mixed, {0, 2, 1, 3});
  mixed = net.reshape(name + ".self.Reshape", mixed, {size.batch, size.tokens, size.hidden});
  const TensorId out = net.dense(name + ".output.dense", mixed, size.hidden);
  return net.layer_norm(name + ".output.LayerNorm", net.add(name + ".output.add", out, x));
}

TensorId bert_layer(NetworkBuilder& net, const std::string& name, TensorId from, TensorId mask,
                    const BertSize& size) {
  const TensorId x = attention(net, name + ".attention", from, mask, size);
  TensorId wide = net.dense(name + ".intermediate.dense", x, 4 * size.hidden);
  wide = net.gelu(name + ".intermediate.gelu", wide);
  const TensorId back = net.dense(name + ".output.dense", wide, size.hidden);
  return net.layer_norm(name + ".output.LayerNorm", net.add(name + ".output.add", back, x));
}

Graph bert(NetworkBuilder net, const BertSize& size) {
  const Shape lines = {size.batch, size.tokens}, line = {1, size.tokens};
  const TensorId ids = net.integer_input("input_ids", lines);
  const TensorId mask = net.integer_input("attention_mask", lines);
  const auto count = static_cast<size_t>(size.tokens);
  std::vector<int64_t> places(count);
  std::iota(places.begin(), places.end(), int64_t{0});
  const std::string own = "embeddings.";
  TensorId x = net.embedding(own + "word_embeddings", ids, {size.words, size.hidden});
  const TensorId types = net.integers("token_type_ids", line, std::vector<int64_t>(count, 0));
  x = net.add(own + "add", x,
              net.embedding(own + "token_type_embeddings", types, {2, size.hidden}));
  const TensorId positions = net.integers("position_ids", line, places);
  x = net.add(own + "add_1", x,
              net.embedding(own + "position_embeddings", positions, {512, size.hidden}));
  x = net.layer_norm(own + "LayerNorm", x);
  const TensorId scores = net.masked_scores("mask", mask);
  for (int64_t layer = 0; layer < size.layers; ++layer)
    x = bert_layer(net, fmt::format("encoder.layer.{}", layer), x, scores, size);
  const TensorId first = net.select("pooler.Gather", x, 1, 0);
  const TensorId pooled =
      net.tanh("pooler.activation", net.linear("pooler.dense", first, size.hidden));
  return net.finish({x, pooled});
}

Graph bert_tiny(NetworkBuilder net, const NetworkSize& size) {
  return bert(std::move(net), size.small ? BertSize{size.batch, 2, 32, 2, 16, 1000}
                                         : BertSize{size.batch, 2, 128, 2, 128, 30522});
}

Graph bert_base(NetworkBuilder net, const NetworkSize& size) {
  return bert(std::move(net), size.small ? BertSize{size.batch, 3, 48, 12, 16, 1000}
                                         : BertSize{size.batch, 12, 768, 12, 128, 30522});
}

struct SampleModel {
  const char* name;
  Graph (*build)(NetworkBuilder, const NetworkSize&);
};
constexpr SampleModel kSampleModels[] = {{"resnet18", resnet18},
                                         {"mobilenet_v2", mobilenet_v2},
                                         {"bert_base", bert_base},
                                         {"bert_tiny", bert_tiny},
                                         {"resnet3d18", resnet3d18}};
constexpr std::string_view kSmall = "-small";
constexpr std::string_view kBatch = "-b";  // and a number
constexpr const char* kBatchesOfSuite[] = {"resnet18-b16", "mobilenet_v2-b16"};

// Takes "-f16" or "-bf16" off the end of a name; f32 without it.
ElementType take_type(std::string& name) {
  for (const ElementType type : {ElementType::f16, ElementType::bf16}) {
    const std::string end = fmt::format("-{}", name_of(type));
    if (!name.ends_with(end)) continue;
    name.resize(name.size() - end.size());
    return type;
  }
  return ElementType::f32;
}

// Takes "-b16" off the end of a name; 1 without it.
std::optional<int64_t> take_batch(std::string& name) {
  const size_t at = name.rfind(kBatch);
  if (at == std::string::npos) return 1;
  const char* const end = name.data() + name.size();
  int64_t batch = 0;
  const auto read = std::from_chars(name.data() + at + kBatch.size(), end, batch);
  if (read.ec != std::errc() || read.ptr != end) return 1;
  if (batch < 1) return std::nullopt;
  name.resize(at);
  return batch;
}

}  // namespace

Graph build_resnet18(uint64_t seed) { return resnet18(NetworkBuilder("resnet18", seed), {}); }

std::vector<std::string> sample_model_names() {
  std::vector<std::string> names;
  for (const SampleModel& model : kSampleModels) names.emplace_back(model.name);
  for (const SampleModel& model : kSampleModels) names.push_back(model.name + std::string(kSmall));
  for (const char* name : kBatchesOfSuite) names.emplace_back(name);
  return names;
}

Result<Graph> build_sample_model(const std::string& name, uint64_t seed) {
  std::string full = name;
  const ElementType real = take_type(full);
  const std::optional<int64_t> batch = take_batch(full);
  NetworkSize size{.small = full.ends_with(kSmall), .batch = batch.value_or(1)};
  if (size.small) full.resize(full.size() - kSmall.size());
  for (const SampleModel& model : kSampleModels)
    if (batch && full == model.name) return model.build(NetworkBuilder(name, seed, real), size);
  return fail(
      "unknown model \"{}\"; expected one of {}; another batch as NAME-bN, halves as "
      "NAME-f16 or NAME-bf16",
      name, fmt::join(sample_model_names(), " "));
}

}  // namespace dovetail
