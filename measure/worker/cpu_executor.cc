// SPDX-License-Identifier: Apache-2.0
#if DOVETAIL_HAVE_LLVM

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/base/stopwatch.h"
#include "core/codegen/llvm/loader.h"
#include "core/runtime/thread_pool.h"
#include "measure/machine_peak.h"
#include "measure/worker/executor.h"
#include "measure/worker/huge_pages.h"

namespace dovetail {
namespace {

// A kernel: reads and writes cache lines of one buffer.
void touch_lines(void* const* buffers, int64_t first, int64_t last) {
  auto* bytes = static_cast<std::byte*>(buffers[0]);
  for (int64_t line = first; line < last; ++line) bytes[line * kBufferAlignment] ^= std::byte{1};
}

class CpuExecutor : public Executor {
 public:
  CpuExecutor(const Target& target, const std::vector<int>& cores)
      : target_(target), pool_(cores) {}

  Outcome load(const Artifact& artifact) override {
    functions_.clear();
    if (artifact.kernels.size() != artifact.extents.size()) {
      return {Status::run_error, "an artifact without an extent for each kernel"};
    }
    Result<LoadedObject> loaded = LoadedObject::load(artifact.bytes);
    if (!loaded) return {Status::run_error, loaded.error().message};
    for (const std::string& symbol : artifact.kernels) {
      const auto function = loaded->find(symbol);
      if (!function) return {Status::run_error, function.error().message};
      functions_.push_back(*function);
    }
    extents_ = artifact.extents;
    first_timed_ = std::min(static_cast<size_t>(artifact.kernels_once), functions_.size());
    code_.emplace(*std::move(loaded));
    return {};
  }

  Outcome run_once(std::span<std::byte> arena, const ArenaPlan& plan, double& seconds) override {
    const std::vector<void*> buffers = addresses(arena, plan);
    run_kernels(0, first_timed_, buffers);
    const Stopwatch watch;
    run_program(buffers);
    seconds = watch.seconds();
    return {};
  }

  Outcome begin_timing(std::span<const std::byte> arena, const ArenaPlan& plan,
                       bool cold) override {
    const auto memory = memory_.at_least(plan.bytes);
    if (!memory) return {Status::run_error, memory.error().message};
    std::memcpy(memory->data(), arena.data(), plan.bytes);
    timed_buffers_ = addresses(*memory, plan);
    cold_ = cold;
    if (cold && eviction_.empty()) eviction_.resize(eviction_bytes());
    return {};
  }

  double sample(int64_t runs) override {
    double seconds = 0;
    if (cold_) {
      for (int64_t run = 0; run < runs; ++run) seconds += timed_run_after_eviction();
      return seconds;
    }
    const Stopwatch watch;
    for (int64_t run = 0; run < runs; ++run) run_program(timed_buffers_);
    return watch.seconds();
  }

  PeakReply peak(const PeakRequest& request) override {
    PeakReply reply{.fma_gflops = measure_fma_gflops(pool_), .l1_bytes_per_second = 0};
    if (request.bandwidth) {
      const LevelBandwidth l1 = measure_l1_bandwidth(pool_, target_);
      reply.l1_bytes_per_second = std::max(l1.read_bytes_per_second, l1.copy_bytes_per_second);
    }
    return reply;
  }

 private:
  static std::vector<void*> addresses(std::span<std::byte> memory, const ArenaPlan& plan) {
    std::vector<void*> buffers;
    for (const BufferPlace& place : plan.places) buffers.push_back(memory.data() + place.offset);
    return buffers;
  }

  void run_kernels(size_t first, size_t last, const std::vector<void*>& buffers) {
    for (size_t k = first; k < last; ++k) {
      pool_.parallel_for(functions_[k], buffers.data(), extents_[k]);
    }
  }

  void run_program(const std::vector<void*>& buffers) {
    run_kernels(first_timed_, functions_.size(), buffers);
  }

  // All threads together twice the last cache, and each twice its own: what one thread touches
  // leaves the second level of the others as it was.
  size_t eviction_bytes() const {
    return static_cast<size_t>(2 * (target_.l3_bytes + pool_.threads() * target_.l2_bytes));
  }

  double timed_run_after_eviction() {
    void* const buffer = eviction_.data();
    pool_.parallel_for(touch_lines, &buffer,
                       static_cast<int64_t>(eviction_.size() / kBufferAlignment));
    const Stopwatch watch;
    run_program(timed_buffers_);
    return watch.seconds();
  }

  Target target_;
  ThreadPool pool_;
  std::optional<LoadedObject> code_;
  std::vector<CpuKernel> functions_;
  std::vector<int64_t> extents_;
  size_t first_timed_ = 0;  // kernels before this one prepare constants
  HugePages memory_;
  std::vector<void*> timed_buffers_;
  bool cold_ = false;
  std::vector<std::byte> eviction_;  // larger than every cache
};

}  // namespace

std::unique_ptr<Executor> make_cpu_executor(const Target& target, const std::vector<int>& cores) {
  return std::make_unique<CpuExecutor>(target, cores);
}

}  // namespace dovetail

#endif
