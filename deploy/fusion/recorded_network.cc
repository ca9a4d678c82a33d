// SPDX-License-Identifier: Apache-2.0
#include "deploy/fusion/recorded_network.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/ir/layout/restate.h"
#include "core/ir/lexer.h"
#include "core/record/line/log_header.h"
#include "deploy/network/region_forms.h"

namespace dovetail {
namespace {

template <typename Named>
std::map<std::string, size_t, std::less<>> numbers_by_name(const std::vector<Named>& all) {
  std::map<std::string, size_t, std::less<>> numbers;
  for (size_t i = 0; i < all.size(); ++i) numbers.emplace(all[i].name, i);
  return numbers;
}

NodeOfNetwork recorded_node(const Graph& graph, const std::string& name, const NodeChoice& choice) {
  NodeOfNetwork node{.node = name, .trace = {}, .forms = {}, .stays = choice.stays};
  if (choice.trace) node.trace = print(*choice.trace);
  for (const auto& [id, form] : choice.forms)
    node.forms[graph.tensors[static_cast<size_t>(id)].name] =
        print(form, numbered_dims(shape_in(graph, id)));
  return node;
}

class Reading {
 public:
  Reading(const Partition& parts, const NetworkRecord& record)
      : record_(record), tensors_(numbers_by_name(parts.graph.tensors)) {}

  Result<std::vector<NodeChain>> chains(const Partition& parts) const {
    const auto nodes = numbers_by_name(parts.graph.nodes);
    std::vector<NodeChain> chains;
    for (const std::vector<std::string>& names : record_.fused) {
      NodeChain chain;
      for (const std::string& name : names) {
        const auto found = nodes.find(name);
        if (found == nodes.end()) return fail("the graph has no node {} to fuse", name);
        chain.nodes.push_back(found->second);
      }
      chains.push_back(std::move(chain));
    }
    return chains;
  }

  Result<NetworkChoice> choice(const Partition& parts) const {
    const auto nodes = numbers_by_name(parts.graph.nodes);
    NetworkChoice choice{.nodes = std::vector<NodeChoice>(parts.regions.size()),
                         .prefetches_weights = record_.prefetches_weights};
    for (const NodeOfNetwork& node : record_.nodes) {
      const auto found = nodes.find(node.node);
      if (found == nodes.end()) return fail("the graph has no node {}", node.node);
      NodeChoice& own = choice.nodes[found->second];
      own.stays = node.stays;
      if (!node.trace.empty()) own.trace = TRY(parse_trace(node.trace));
      for (const auto& [tensor, text] : node.forms) {
        const auto [id, form] = TRY(form_of(parts.graph, tensor, text));
        own.forms[id] = form;
      }
    }
    return choice;
  }

 private:
  Result<std::pair<TensorId, NormalLayout>> form_of(const Graph& graph, const std::string& tensor,
                                                    const std::string& text) const {
    const auto found = tensors_.find(tensor);
    if (found == tensors_.end()) return fail("the graph has no tensor {}", tensor);
    const auto id = static_cast<TensorId>(found->second);
    const auto dims = numbered_dims(shape_in(graph, id));
    Cursor cursor = TRY(Cursor::over(text, "layout of " + tensor));
    NormalLayout form = TRY(parse_normal_layout(cursor, dims));
    TRY(cursor.expect_line_end());
    return std::pair(id, std::move(form));
  }

  const NetworkRecord& record_;
  std::map<std::string, size_t, std::less<>> tensors_;
};

}  // namespace

NetworkRecord network_of_graph(const Partition& parts, const Target& target) {
  NetworkRecord record;
  record.model = parts.graph.name;
  record.graph = fmt::format("{:016x}", hash_of_text(print(parts.graph)));
  record.target = print(target.name);
  record.device = facets_of(target).name;
  return record;
}

NetworkRecord network_record(const Partition& parts, const Target& target,
                             const MeasuredFusions& found) {
  NetworkRecord record = network_of_graph(parts, target);
  record.seconds = found.seconds;
  record.joint_seconds = found.joint_seconds;
  record.networks = std::ssize(found.all_seconds);
  record.prefetches_weights = found.network.prefetches_weights;
  for (const NodeChain& chain : found.chains) {
    record.fused.emplace_back();
    for (const size_t node : chain.nodes)
      record.fused.back().push_back(parts.graph.nodes[node].name);
  }
  for (size_t n = 0; n < found.network.nodes.size(); ++n)
    if (!(found.network.nodes[n] == NodeChoice()))
      record.nodes.push_back(recorded_node(found.parts.graph, found.parts.graph.nodes[n].name,
                                           found.network.nodes[n]));
  return record;
}

Result<ChosenNetwork> chosen_network(const Partition& parts, const NetworkRecord& record) {
  const Reading reading(parts, record);
  ChosenNetwork chosen;
  chosen.chains = TRY(reading.chains(parts));
  if (!are_chains(parts, chosen.chains)) return fail("the graph has no such chains to fuse");
  chosen.parts = fused(parts, chosen.chains);
  chosen.network = TRY(reading.choice(chosen.parts));
  return chosen;
}

}  // namespace dovetail
