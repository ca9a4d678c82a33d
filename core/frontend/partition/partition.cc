// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/partition/partition.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/frontend/partition/elementwise.h"

namespace dovetail {
namespace {

std::string summary(const Partition& partition) {
  const auto specs = std::ranges::count_if(
      partition.graph.nodes, [](const GraphNode& node) { return node.op.has_value(); });
  const auto views = std::ranges::count_if(partition.regions, is_view);
  const auto missing = std::ranges::count_if(
      partition.regions, [](const NodeRegion& region) { return !region.reason.empty(); });
  std::string text =
      fmt::format("# {} in {}: {} with a spec, {}", counted(num_model_nodes(partition), "node"),
                  counted(partition.graph.nodes.size(), "region"), specs, counted(views, "view"));
  if (missing > 0) text += fmt::format(", {} without a computation", missing);
  return text + "\n";
}

std::string remarks(const Partition& partition, size_t i) {
  const GraphNode& node = partition.graph.nodes[i];
  const NodeRegion& region = partition.regions[i];
  std::string text;
  if (const auto joined = partition.joined.find(node.name); joined != partition.joined.end())
    text += fmt::format("# with {}\n", fmt::join(joined->second, ", "));
  if (node.op) return text;
  if (is_view(region)) return text + "# a view: only the shape changes\n";
  return text + (region.reason.empty()
                     ? fmt::format("# {}\n", region.spec.text())
                     : fmt::format("# without a computation: {}\n", region.reason));
}

}  // namespace

int64_t num_model_nodes(const Partition& partition) {
  int64_t nodes = std::ssize(partition.graph.nodes);
  for (const auto& [name, joined] : partition.joined) nodes += std::ssize(joined);
  return nodes;
}

Result<Partition> partition(Graph graph, const PartitionOptions& options) {
  Partition result{.graph = std::move(graph), .regions = {}, .joined = {}};
  if (options.tails) result.joined = TRY(join_tails(result.graph, options.tail_values));
  if (options.elementwise) TRY(join_elementwise(result.graph, result.joined));
  if (options.tails || options.elementwise) {
    result.graph = compact(result.graph);
    TRY(check_graph(result.graph));
  }
  for (const GraphNode& node : result.graph.nodes)
    result.regions.push_back(TRY(node_region(result.graph, node)));
  return result;
}

std::string print(const Partition& partition) {
  std::string text = summary(partition);
  size_t i = 0;
  const std::string graph = print(partition.graph);
  for (const std::string_view line : split(graph, '\n')) {
    if (line.empty()) continue;
    if (line.starts_with("node ")) text += remarks(partition, i++);
    text += std::string(line) + "\n";
  }
  return text;
}

}  // namespace dovetail
