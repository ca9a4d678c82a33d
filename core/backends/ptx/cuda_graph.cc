// SPDX-License-Identifier: Apache-2.0
#include "core/backends/ptx/cuda_graph.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/fail.h"

namespace dovetail {
namespace {

// The nodes of a graph that is being made, and what is to be waited for.
class GraphMaker {
 public:
  GraphMaker(const CudaQueue& queue, std::span<const CudaLaunch> launches)
      : queue_(queue), launches_(launches) {
    std::vector<LaunchBytes> bytes;
    for (const CudaLaunch& bound : launches) bytes.push_back(bound.bytes);
    awaited_ = launches_awaited(bytes);
    is_last_.assign(launches.size(), true);
    for (const std::vector<size_t>& earlier : awaited_)
      for (const size_t other : earlier) is_last_[other] = false;
  }
  GraphMaker(const GraphMaker&) = delete;
  GraphMaker& operator=(const GraphMaker&) = delete;
  ~GraphMaker() {
    if (graph_ != nullptr) queue_.api().graph_destroy(graph_);
  }

  Result<CudaGraph> make(size_t repetitions) {
    TRY(queue_.check("cuGraphCreate", queue_.api().graph_create(&graph_, 0)));
    std::vector<CudaGraphNode> before;
    for (size_t i = 0; i < repetitions; ++i) before = TRY(add_repetition(before));
    if (!edges_.empty())
      TRY(queue_.check("cuGraphAddDependencies",
                       queue_.api().graph_add_edges(graph_, from_.data(), to_.data(), edges_.data(),
                                                    edges_.size())));
    return graph_;
  }

 private:
  // Its nodes; those of the repetition before it are awaited.
  Result<std::vector<CudaGraphNode>> add_repetition(const std::vector<CudaGraphNode>& before) {
    std::vector<CudaGraphNode> nodes;
    for (size_t i = 0; i < launches_.size(); ++i) {
      nodes.push_back(TRY(add_node(launches_[i])));
      for (const size_t earlier : awaited_[i])
        add_edge(nodes[earlier], nodes[i], launches_[i].launch.waits_itself);
      if (!awaited_[i].empty()) continue;
      for (size_t j = 0; j < before.size(); ++j)
        if (is_last_[j]) add_edge(before[j], nodes[i], /*waits_itself=*/false);
    }
    return nodes;
  }

  void add_edge(CudaGraphNode from, CudaGraphNode to, bool waits_itself) {
    from_.push_back(from);
    to_.push_back(to);
    constexpr unsigned char kProgrammatic = 1;  // port and type: CU_GRAPH_…_PROGRAMMATIC
    CudaGraphEdge edge;
    if (waits_itself) edge.from_port = edge.type = kProgrammatic;
    edges_.push_back(edge);
  }

  Result<CudaGraphNode> add_node(const CudaLaunch& bound) {
    const Launch& launch = bound.launch;
    std::vector<CudaAddress> addresses = bound.addresses;
    std::vector<void*> arguments;
    for (CudaAddress& address : addresses) arguments.push_back(&address);
    CudaKernelNode kernel{.function = bound.function,
                          .shared_bytes = static_cast<unsigned>(launch.local_bytes),
                          .arguments = arguments.data()};
    for (size_t i = 0; i < launch.local.size(); ++i) {
      kernel.work_items[i] = static_cast<unsigned>(launch.local[i]);
      kernel.groups[i] = static_cast<unsigned>(launch.global[i] / launch.local[i]);
    }
    CudaGraphNode node = nullptr;
    const CudaResult code = queue_.api().graph_add_kernel(&node, graph_, nullptr, 0, &kernel);
    const auto& [x, y, z] = kernel.groups;
    TRY(queue_.check("cuGraphAddKernelNode", code,
                     fmt::format("kernel {}, {}x{}x{} groups of {}x{}x{} work-items", launch.name,
                                 x, y, z, launch.local[0], launch.local[1], launch.local[2])));
    return node;
  }

  const CudaQueue& queue_;
  std::span<const CudaLaunch> launches_;
  std::vector<std::vector<size_t>> awaited_;
  std::vector<bool> is_last_;  // no other of the repetition waits for it
  CudaGraph graph_ = nullptr;
  std::vector<CudaGraphNode> from_, to_;
  std::vector<CudaGraphEdge> edges_;
};

}  // namespace

Result<std::unique_ptr<GraphRun>> make_graph(const std::shared_ptr<const CudaQueue>& queue,
                                             std::span<const CudaLaunch> launches,
                                             size_t repetitions) {
  GraphMaker maker(*queue, launches);
  CudaGraph graph = TRY(maker.make(repetitions));
  auto made = std::make_unique<GraphRun>();
  made->queue = queue;
  const CudaApi& api = queue->api();
  TRY(queue->check("cuGraphInstantiate", api.graph_instantiate(&made->run, graph, 0)));
  TRY(queue->check("cuGraphUpload", api.graph_upload(made->run, queue->stream())));
  return made;
}

}  // namespace dovetail
