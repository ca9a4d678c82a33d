// SPDX-License-Identifier: Apache-2.0
#pragma once

// make_graph: launches as a graph that the driver starts with one call.
//
//   CudaLaunch pad, left, right, add;         each with its kernel and its arguments' addresses
//   const auto graph = TRY(make_graph(queue, {pad, left, right, add}, /*repetitions=*/1));
//   queue->api().graph_launch(graph->run, queue->stream());      left and right run side by side
//
// A launch waits for those that core/runtime/launch_order.h says, and a repetition for the whole
// one before it. Where kernels wait for themselves (Launch::waits_itself), they are placed while
// those before them still run, but not between repetitions, so that a kernel's time is its own.

#include <memory>
#include <span>
#include <vector>

#include "core/backends/ptx/cuda_queue.h"
#include "core/base/result.h"
#include "core/ir/program/launch.h"
#include "core/runtime/launch_order.h"

namespace dovetail {

struct CudaLaunch {
  CudaFunction function = nullptr;
  Launch launch;
  std::vector<CudaAddress> addresses = {};  // one for each argument
  LaunchBytes bytes = {};
};

struct GraphRun {
  GraphRun() = default;
  GraphRun(const GraphRun&) = delete;
  GraphRun& operator=(const GraphRun&) = delete;
  ~GraphRun() {
    if (run != nullptr && queue->enter()) queue->api().graph_run_destroy(run);
  }
  std::shared_ptr<const CudaQueue> queue;
  CudaGraphRun run = nullptr;
};

// The context must have been entered. Precondition: there are launches.
Result<std::unique_ptr<GraphRun>> make_graph(const std::shared_ptr<const CudaQueue>& queue,
                                             std::span<const CudaLaunch> launches,
                                             size_t repetitions);

}  // namespace dovetail
