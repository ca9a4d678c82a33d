// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_rules {
namespace {

using Names = std::vector<std::string>;

struct LossAxes {
  Names all;      // n, c, and the axes after them
  Names targets;  // all but c
};

// The input's axes, which differ from the output's if the loss is reduced.
LossAxes loss_axes(RegionWriter& write) {
  LossAxes axes;
  for (size_t i = 0; i < write.shape(0).size(); ++i) {
    axes.all.push_back(fmt::format("p{}", i));
    write.add_axis(axes.all.back(), write.shape(0)[i]);
    if (i != 1) axes.targets.push_back(axes.all.back());
  }
  return axes;
}

// `likelihood` reads the logarithm of a probability by its indices. L is the loss of each target, U
// its weight; both are 0 for ignored targets.
template <typename Likelihood>
Result<std::string> loss_text(const RegionWriter& write, const LossAxes& axes,
                              const Likelihood& likelihood) {
  const GraphNode& node = write.node();
  const std::string reduction = TRY(text_attribute(node, "reduction", "mean"));
  const bool ignores = node.attributes.contains("ignore_index");
  const int64_t ignored = TRY(integer_attribute(node, "ignore_index", 0));
  const std::string target = write.read(1, axes.targets);
  const std::string chosen = fmt::format("clamp({},0,{})", target, write.shape(0)[1] - 1);
  const auto unless_ignored = [&](const std::string& value) {
    return ignores ? fmt::format("select({}=={},0,{})", target,
                                 number_text(static_cast<double>(ignored)), value)
                   : value;
  };
  const std::string weight = write.has_input(2) ? write.read(2, {chosen}) : "1";
  Names indices = axes.all;
  indices[1] = chosen;
  const std::string l = element_of("L", axes.targets), u = element_of("U", axes.targets);
  std::string text = fmt::format("{}={};{}={};", u, unless_ignored(weight), l,
                                 unless_ignored(fmt::format("0-{}*{}", likelihood(indices), u)));
  if (reduction == "none")
    return text + fmt::format("{}={}", write.output(), element_of("L", write.axes()));
  if (reduction == "sum") return text + write.reduced_statements("sum(" + l + ")");
  return text + fmt::format("T[z]=sum({});", u) + write.reduced_statements("sum(" + l + ")/T[0]");
}

// Why the inputs' types or shapes are not supported; empty if they are.
std::string loss_refusal(const RegionWriter& write) {
  if (write.computed(0) != ComputedType::real) return "of integers";
  if (write.computed(1) != ComputedType::integer) return "targets that are no integers";
  return write.shape(0).size() < 2 ? "of a rank below 2" : "";
}

}  // namespace

Result<NodeRegion> likelihood_loss(RegionWriter& write) {
  if (std::string reason = loss_refusal(write); !reason.empty()) return refuse(std::move(reason));
  const LossAxes axes = loss_axes(write);
  return write.finish(
      TRY(loss_text(write, axes, [&](const Names& at) { return write.read(0, at); })));
}

// The loss of the log-softmax over the channels, which may be an output, too.
Result<NodeRegion> cross_entropy_loss(RegionWriter& write) {
  if (std::string reason = loss_refusal(write); !reason.empty()) return refuse(std::move(reason));
  const LossAxes axes = loss_axes(write);
  const std::string x = write.read(0, axes.all), m = element_of("M", axes.targets),
                    d = element_of("S", axes.targets), q = element_of("Q", axes.all);
  std::string text =
      fmt::format("{0}max={1};{2}=sum(exp({1}-{0}));{3}={1}-{0}-log({2});", m, x, d, q);
  text += TRY(loss_text(write, axes, [](const Names& at) { return element_of("Q", at); }));
  if (write.has_output(1)) text += fmt::format(";{}={}", write.output(1, axes.all), q);
  return write.finish(text);
}

}  // namespace dovetail::node_rules
