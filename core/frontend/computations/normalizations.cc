// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_rules {
namespace {

using Names = std::vector<std::string>;

// M, the mean over the axes that `outer` lacks, and V, the variance.
std::string moments(const std::string& x, const Names& outer, const Names& read, int64_t count) {
  const std::string m = element_of("M", read);
  return fmt::format("{}=sum({})/{};{}=sum(({}-{})*({}-{}))/{};", element_of("M", outer), x, count,
                     element_of("V", outer), x, m, x, m, count);
}

// The input's element in a reduction. If all reduced axes have extent 1, they are read by name and
// not at 0, because a reduction needs an axis.
std::string reduced_read(const RegionWriter& write, int64_t count) {
  return count == 1 ? write.read(0, write.axes()) : write.read(0);
}

int64_t product(const std::vector<int64_t>& shape, size_t first) {
  return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(first), shape.end(),
                         int64_t{1}, std::multiplies<>());
}

}  // namespace

// Over the axes from the node's on before operator set 13 (`flattened`), else over that axis.
Result<NodeRegion> softmax(RegionWriter& write) {
  const size_t rank = write.shape(0).size();
  const auto axis = axis_of(TRY(integer_attribute(write.node(), "axis", -1)), rank);
  if (!axis) return refuse("an axis beyond its rank");
  const bool flattened = TRY(integer_attribute(write.node(), "flattened", 0)) != 0;
  const Names all = write.axes();
  Names kept = all;
  for (size_t i = *axis; i < (flattened ? rank : *axis + 1); ++i) kept[i] = "z";
  // The axes of the reduced tensors: one z for all reduced axes.
  Names made = kept;
  made.erase(std::unique(made.begin(), made.end()), made.end());
  write.add_axis("z", 1);
  Names read = made;
  std::ranges::replace(read, "z", "0");
  const std::string m = element_of("M", made), d = element_of("D", made);
  const std::string m_read = element_of("M", read), d_read = element_of("D", read);
  const std::string x = write.read(0, all);
  const bool logarithm = write.node().type == "LogSoftmax";
  const std::string last =
      logarithm ? fmt::format("{}={}-{}-log({})", write.output(), x, m_read, d_read)
                : fmt::format("{}={}/{}", write.output(), element_of("E", all), d_read);
  return write.finish(fmt::format("{}max={};{}=exp({}-{});{}+={};{}", m, x, element_of("E", all), x,
                                  m_read, d, element_of("E", all), last));
}

// The mean and the reciprocal standard deviation are optional outputs.
Result<NodeRegion> layer_normalization(RegionWriter& write) {
  const std::vector<int64_t>& shape = write.shape(0);
  const auto axis = axis_of(TRY(integer_attribute(write.node(), "axis", -1)), shape.size());
  const double epsilon = TRY(number_attribute(write.node(), "epsilon", 1e-5));
  if (!axis || !write.broadcasts()) return refuse("operands of other shapes than its output");
  Names outer = write.axes();
  outer.resize(*axis);
  Names read = outer, units = outer;
  outer.emplace_back("z");
  read.emplace_back("0");
  write.add_axis("z", 1);
  const std::string m = element_of("M", read);
  const std::string scale =
      fmt::format("rsqrt({}+{})", element_of("V", read), number_text(epsilon));
  const int64_t count = product(shape, *axis);
  std::string text = moments(reduced_read(write, count), outer, read, count);
  text += fmt::format("{}=({}-{})*{}", write.output(), write.read(0), m, scale);
  if (write.has_input(1)) text += "*" + write.read(1);
  if (write.has_input(2)) text += "+" + write.read(2);
  for (size_t i = *axis; i < shape.size(); ++i) units.push_back(fmt::format("u{}", i));
  for (size_t i = 1; i < write.num_outputs(); ++i) {
    if (!write.has_output(i)) continue;
    for (size_t j = *axis; j < shape.size(); ++j) write.add_axis(units[j], 1);
    text += fmt::format(";{}={}", write.output(i, units), i == 1 ? m : scale);
  }
  return write.finish(text);
}

namespace {

// Normalises by the mean and variance of the batch, towards which the running ones move.
Result<NodeRegion> training_batch_normalization(RegionWriter& write) {
  const std::vector<int64_t>& shape = write.shape(0);
  const double epsilon = TRY(number_attribute(write.node(), "epsilon", 1e-5));
  const double momentum = TRY(number_attribute(write.node(), "momentum", 0.9));
  const int64_t count = product(shape, 0) / std::max<int64_t>(shape[1], 1);
  const Names channel = {"a1"};
  std::string text = moments(reduced_read(write, count), channel, channel, count);
  text += fmt::format("{}=({}-M[a1])*rsqrt(V[a1]+{})*{}+{}", write.output(), write.read(0),
                      number_text(epsilon), write.read(1, channel), write.read(2, channel));
  for (size_t i = 1; i < std::min<size_t>(write.num_outputs(), 3); ++i)
    if (write.has_output(i))
      text +=
          fmt::format(";{}={}*{}+{}[a1]*{}", write.output(i, channel), write.read(i + 2, channel),
                      number_text(momentum), i == 1 ? "M" : "V", number_text(1 - momentum));
  return write.finish(text);
}

}  // namespace

// Normalises by the running mean and variance; all parameters have one value per channel.
Result<NodeRegion> batch_normalization(RegionWriter& write) {
  if (write.num_inputs() != 5 || write.shape(0).size() < 2) return refuse("of a rank below 2");
  if (TRY(integer_attribute(write.node(), "training_mode", 0)) != 0)
    return training_batch_normalization(write);
  Names of_channel;
  for (size_t i = 1; i < 5; ++i) of_channel.push_back(write.read(i, {RegionWriter::axis(1)}));
  const double epsilon = TRY(number_attribute(write.node(), "epsilon", 1e-5));
  return write.finish_one(fmt::format("({}-{})*rsqrt({}+{})*{}+{}", write.read(0), of_channel[2],
                                      of_channel[3], number_text(epsilon), of_channel[0],
                                      of_channel[1]));
}

Result<NodeRegion> instance_normalization(RegionWriter& write) {
  const std::vector<int64_t>& shape = write.shape(0);
  if (shape.size() < 3) return refuse("of a rank below 3");
  const double epsilon = TRY(number_attribute(write.node(), "epsilon", 1e-5));
  const Names outer = {"a0", "a1"};
  return write.finish(
      moments(reduced_read(write, product(shape, 2)), outer, outer, product(shape, 2)) +
      fmt::format("{}=({}-M[a0,a1])*rsqrt(V[a0,a1]+{})*{}+{}", write.output(), write.read(0),
                  number_text(epsilon), write.read(1, {"a1"}), write.read(2, {"a1"})));
}

// Moments of each group of channels. Scale and shift have one value per channel, before operator
// set 21 one per group.
Result<NodeRegion> group_normalization(RegionWriter& write) {
  const std::vector<int64_t>& shape = write.shape(0);
  if (shape.size() < 2) return refuse("of a rank below 2");
  const int64_t groups = TRY(integer_attribute(write.node(), "num_groups", 0));
  const double epsilon = TRY(number_attribute(write.node(), "epsilon", 1e-5));
  if (groups < 1 || shape[1] % groups != 0)
    return refuse(fmt::format("{} groups of {} channels", groups, shape[1]));
  const int64_t channels = shape[1] / groups;
  write.add_axis("g", groups);
  write.add_axis("c", channels);
  Names inner = write.axes();
  inner[1] = fmt::format("{}*g+c", channels);
  for (size_t i = 2; i < inner.size(); ++i)
    write.add_axis(inner[i] = fmt::format("r{}", i), shape[i]);
  const Names outer = {"a0", "g"}, read = {"a0", fmt::format("a1/{}", channels)};
  const auto learnt = [&](size_t position) {
    return write.read(position, {write.shape(position)[0] == shape[1] ? "a1" : read[1]});
  };
  return write.finish(moments(write.read(0, inner), outer, outer, product(shape, 2) * channels) +
                      fmt::format("{}=({}-{})*rsqrt({}+{})*{}+{}", write.output(), write.read(0),
                                  element_of("M", read), element_of("V", read),
                                  number_text(epsilon), learnt(1), learnt(2)));
}

Result<NodeRegion> mean_variance(RegionWriter& write) {
  const std::vector<int64_t>& shape = write.shape(0);
  const auto axes = TRY(integers_attribute(write.node(), "axes", {0, 2, 3}));
  Names outer = write.axes();
  int64_t count = 1;
  for (const int64_t number : axes) {
    const auto axis = axis_of(number, shape.size());
    if (!axis) return refuse("an axis beyond its rank");
    outer[*axis] = "";
    count *= shape[*axis];
  }
  std::erase(outer, "");
  Names read = outer;
  if (outer.empty()) {
    outer = {"z"};
    read = {"0"};
    write.add_axis("z", 1);
  }
  return write.finish(moments(reduced_read(write, count), outer, read, count) +
                      fmt::format("{}=({}-{})/(sqrt({})+1e-9)", write.output(), write.read(0),
                                  element_of("M", read), element_of("V", read)));
}

// Over a window of neighbouring channels; those out of range are 0.
Result<NodeRegion> lrn(RegionWriter& write) {
  const int64_t size = TRY(integer_attribute(write.node(), "size", 1));
  const double alpha = TRY(number_attribute(write.node(), "alpha", 1e-4));
  const double beta = TRY(number_attribute(write.node(), "beta", 0.75));
  const double bias = TRY(number_attribute(write.node(), "bias", 1));
  if (size < 1 || write.shape(0).size() < 2) return refuse("of a rank below 2");
  write.add_axis("r", size);
  Names indices = write.axes();
  indices[1] = fmt::format("a1+r-{}", (size - 1) / 2);
  const std::string near = write.read(0, indices);
  return write.finish_one(
      fmt::format("{}/pow({}+{}*sum({}*{}),{})", write.read(0), number_text(bias),
                  number_text(alpha / static_cast<double>(size)), near, near, number_text(beta)));
}

// Elements that are all 0 stay 0.
Result<NodeRegion> lp_normalization(RegionWriter& write) {
  const auto axis =
      axis_of(TRY(integer_attribute(write.node(), "axis", -1)), write.shape(0).size());
  const int64_t power = TRY(integer_attribute(write.node(), "p", 2));
  if (!axis || (power != 1 && power != 2)) return refuse(fmt::format("p of {}", power));
  Names indices = write.axes(), made = indices, read = indices;
  indices[*axis] = "r";
  made[*axis] = "z";
  read[*axis] = "0";
  write.add_axis("r", write.shape(0)[*axis]);
  write.add_axis("z", 1);
  const std::string x = write.read(0, indices);
  const std::string norm = power == 1 ? "sum(abs(" + x + "))" : "sqrt(sum(" + x + "*" + x + "))";
  return write.finish(fmt::format("{0}={1};{2}={3}/select({4}==0,1,{4})", element_of("M", made),
                                  norm, write.output(), write.read(0), element_of("M", read)));
}

}  // namespace dovetail::node_rules
