// SPDX-License-Identifier: Apache-2.0
#if DOVETAIL_HAVE_LLVM

#include <algorithm>
#include <cstring>

#include "core/codegen/llvm/loader.h"
#include "core/runtime/huge_pages.h"
#include "core/runtime/thread_pool.h"
#include "measure/worker/cache_steps.h"
#include "measure/worker/executor.h"

namespace dovetail {
namespace {

int64_t lines_of(uint64_t bytes) {
  return static_cast<int64_t>((bytes + kBufferAlignment - 1) / kBufferAlignment);
}

class CpuExecutor : public Executor {
 public:
  CpuExecutor(const Target& target, const std::vector<int>& cores)
      : target_(target), pool_(cores) {}

  Outcome load(const Artifact& artifact) override {
    program_.reset();
    return outcome_of([&]() -> Result<void> {
      const auto code = std::make_shared<LoadedObject>(TRY(LoadedObject::load(artifact.bytes)));
      const auto find = [code](const std::string& kernel) { return code->find(kernel); };
      program_ = TRY(load_on_cpu(artifact, find, pool_));
      return {};
    }());
  }

  Outcome begin_timing(std::span<const std::byte> arena, const ArenaPlan& plan,
                       Caches caches) override {
    plan_ = plan;
    steps_ = steps_to(caches, plan, eviction_here());
    for (const CacheStep& step : steps_)
      foreign_.resize(std::max(foreign_.size(), foreign_bytes(step.action)));
    return outcome_of([&]() -> Result<void> {
      timed_ = TRY(memory_.at_least(plan.bytes));
      std::memcpy(timed_.data(), arena.data(), plan.bytes);
      return program_->place(addresses(timed_, plan));
    }());
  }

  Result<double> sample(int64_t runs) override {
    if (steps_.empty()) return Executor::sample(runs);
    double seconds = 0;
    for (int64_t run = 0; run < runs; ++run) {
      for (const CacheStep& step : steps_) take(step);
      seconds += TRY(program_->run());
    }
    return seconds;
  }

  PeakReply peak(const PeakRequest& request) override { return peak_of(pool_, target_, request); }

 private:
  LoadedProgram& program() override { return *program_; }

  // Each thread streams twice its own L2, which the other threads' lines do not evict.
  uint64_t own_caches_bytes() const {
    return 2 * static_cast<uint64_t>(pool_.threads() * target_.l2_bytes);
  }
  // Bytes to stream: twice each thread's L2; for evict_all, twice the last cache as well.
  uint64_t foreign_bytes(CacheAction action) const {
    if (action == CacheAction::push_out) return own_caches_bytes();
    if (action != CacheAction::evict_all) return 0;
    return 2 * static_cast<uint64_t>(target_.l3_bytes) + own_caches_bytes();
  }

  void take(const CacheStep& step) {
    const BufferPlace& place = plan_.places[step.place];
    std::byte* const buffer = timed_.data() + place.offset;
    switch (step.action) {
      case CacheAction::evict: return on_lines(evict_lines, buffer, place.bytes);
      case CacheAction::read: return on_lines(read_lines, buffer, place.bytes);
      case CacheAction::write: return on_lines(write_lines, buffer, place.bytes);
      case CacheAction::evict_all: return stream_through(write_lines, step.action);
      case CacheAction::push_out: return stream_through(read_lines, step.action);
    }
  }

  void stream_through(CpuKernel kernel, CacheAction action) {
    on_lines(kernel, foreign_.data(), foreign_bytes(action));
  }

  void on_lines(CpuKernel kernel, std::byte* bytes, uint64_t count) {
    void* const buffer = bytes;
    pool_.parallel_for(kernel, &buffer, lines_of(count));
  }

  Target target_;
  ThreadPool pool_;
  std::unique_ptr<LoadedProgram> program_;
  HugePages memory_;
  ArenaPlan plan_;
  std::span<std::byte> timed_;  // the operands, in memory_
  std::vector<CacheStep> steps_;
  std::vector<std::byte> foreign_;  // streamed through the caches
};

}  // namespace

std::unique_ptr<Executor> make_cpu_executor(const Target& target, const std::vector<int>& cores) {
  return std::make_unique<CpuExecutor>(target, cores);
}

}  // namespace dovetail

#endif
