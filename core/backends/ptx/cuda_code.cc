// SPDX-License-Identifier: Apache-2.0
#include "core/backends/ptx/cuda_code.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "core/backends/ptx/cuda_graph.h"
#include "core/base/fail.h"

namespace dovetail {
namespace {

constexpr size_t kMostGraphs = 8;  // that are kept
// A node takes the driver 4 us, which is more than most kernels that are timed. So graphs have few
// repetitions, and are started again: what lies between two is below a hundredth of so long a one.
constexpr double kLongGraphSeconds = 50e-6;
constexpr size_t kGrowth = 8;  // times the repetitions, while graphs are shorter

class CudaCode : public LoadedCode {
 public:
  CudaCode(std::shared_ptr<const CudaQueue> queue,
           std::vector<std::shared_ptr<const CudaLoaded>> modules)
      : queue_(std::move(queue)), modules_(std::move(modules)) {}

  Result<void> find_functions(const std::vector<Launch>& launches) {
    for (const Launch& launch : launches) {
      launches_.push_back({.function = TRY(function_named(launch.name)), .launch = launch});
      TRY(allow_local_memory(launches_.back()));
    }
    return {};
  }

  Result<void> bind(std::span<const NDArray> buffers) override {
    graphs_.clear();  // they have the former addresses
    buffers_.assign(buffers.begin(), buffers.end());
    for (CudaLaunch& bound : launches_) {
      bound.addresses.clear();
      bound.bytes = {};
      for (const int buffer : bound.launch.buffers) TRY(bind_argument(bound, buffer));
    }
    return {};
  }

  Result<double> run(size_t first, size_t last, int64_t repetitions) override {
    return timed(first, last, 1, repetitions);
  }

  // At least so many repetitions.
  Result<double> time(size_t first, size_t last, int64_t repetitions) override {
    const auto wanted = static_cast<size_t>(repetitions);
    size_t& most = most_in_graph_.try_emplace({first, last}, 1).first->second;
    size_t in_graph = most;
    while (in_graph > wanted) in_graph /= kGrowth;
    const auto graphs = static_cast<int64_t>((wanted + in_graph - 1) / in_graph);
    const double seconds = TRY(timed(first, last, in_graph, graphs));
    const bool is_short = static_cast<double>(in_graph) * seconds < kLongGraphSeconds;
    if (in_graph == most && is_short) most *= kGrowth;
    return seconds;
  }

 private:
  using Range = std::tuple<size_t, size_t, size_t>;  // launches, and their repetitions

  Result<CudaFunction> function_named(const std::string& name) const {
    CudaResult code = 0;
    for (const auto& loaded : modules_) {
      CudaFunction function = nullptr;
      code = queue_->api().module_function(&function, loaded->module, name.c_str());
      if (code == 0) return function;
    }
    return Unexpected(queue_->check("cuModuleGetFunction", code, "kernel " + name).error());
  }

  // Beyond what a kernel may declare, a launch has to be allowed.
  Result<void> allow_local_memory(const CudaLaunch& bound) const {
    constexpr int kMostLaunchedBytes = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    const int64_t bytes = bound.launch.local_bytes;
    if (bytes == 0) return {};
    return queue_->check(
        "cuFuncSetAttribute",
        queue_->api().function_set(bound.function, kMostLaunchedBytes, static_cast<int>(bytes)),
        fmt::format("kernel {}, {} bytes of local memory", bound.launch.name, bytes));
  }

  Result<void> bind_argument(CudaLaunch& bound, int buffer) const {
    const CudaAddress address = TRY(address_of(bound.launch.name, buffer));
    bound.addresses.push_back(address);
    const auto bytes = static_cast<uint64_t>(buffers_[static_cast<size_t>(buffer)].size_bytes());
    const bool is_written =
        std::ranges::find(bound.launch.written, buffer) != bound.launch.written.end();
    (is_written ? bound.bytes.written : bound.bytes.read).push_back({address, address + bytes});
    return {};
  }

  Result<CudaAddress> address_of(const std::string& kernel, int buffer) const {
    const auto number = static_cast<size_t>(buffer);
    if (buffer < 0 || number >= buffers_.size())
      return fail("kernel {} takes buffer {} of {}", kernel, buffer, buffers_.size());
    const NDArray& array = buffers_[number];
    const auto* memory = dynamic_cast<const CudaMemory*>(array.memory().get());
    if (memory == nullptr || memory->queue != queue_)
      return fail("kernel {}, buffer {}: it lies in memory of another device", kernel, buffer);
    if (!array.is_dense())
      return fail("kernel {}, buffer {}: it has gaps; expected dense elements", kernel, buffer);
    return memory->address + static_cast<CudaAddress>(array.byte_offset());
  }

  Result<double> timed(size_t first, size_t last, size_t in_graph, int64_t graphs) {
    if (first >= last) return 0.0;  // a network of views has no kernels
    TRY(queue_->enter());
    const CudaGraphRun run = TRY(graph_of({first, last, in_graph}));
    TRY(queue_->record_begin());
    for (int64_t i = 0; i < graphs; ++i)
      TRY(queue_->check("cuGraphLaunch", queue_->api().graph_launch(run, queue_->stream())));
    TRY(queue_->record_end());
    return TRY(queue_->seconds()) / static_cast<double>(graphs * static_cast<int64_t>(in_graph));
  }

  Result<CudaGraphRun> graph_of(const Range& range) {
    if (const auto known = graphs_.find(range); known != graphs_.end()) return known->second->run;
    if (graphs_.size() >= kMostGraphs) graphs_.clear();
    const auto& [first, last, repetitions] = range;
    const auto launches = std::span(launches_).subspan(first, last - first);
    auto made = TRY(make_graph(queue_, launches, repetitions));
    return graphs_.emplace(range, std::move(made)).first->second->run;
  }

  std::shared_ptr<const CudaQueue> queue_;
  std::vector<std::shared_ptr<const CudaLoaded>> modules_;
  std::vector<NDArray> buffers_;
  std::vector<CudaLaunch> launches_;
  std::map<Range, std::unique_ptr<GraphRun>> graphs_;          // released before what they refer to
  std::map<std::pair<size_t, size_t>, size_t> most_in_graph_;  // repetitions of these launches
};

}  // namespace

Result<std::unique_ptr<LoadedCode>> load_cuda_code(
    std::shared_ptr<const CudaQueue> queue, std::vector<std::shared_ptr<const CudaLoaded>> modules,
    const std::vector<Launch>& launches) {
  auto loaded = std::make_unique<CudaCode>(std::move(queue), std::move(modules));
  TRY(loaded->find_functions(launches));
  return std::unique_ptr<LoadedCode>(std::move(loaded));
}

}  // namespace dovetail
