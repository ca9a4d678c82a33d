// SPDX-License-Identifier: Apache-2.0
#if DOVETAIL_HAVE_LLVM

#include <cstring>

#include "core/codegen/llvm/loader.h"
#include "core/runtime/huge_pages.h"
#include "core/runtime/thread_pool.h"
#include "measure/worker/executor.h"

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
    program_.reset();
    return outcome_of([&]() -> Result<void> {
      const auto code = std::make_shared<LoadedObject>(TRY(LoadedObject::load(artifact.bytes)));
      const auto find = [code](const std::string& kernel) { return code->find(kernel); };
      program_ = TRY(load_on_cpu(artifact, find, pool_));
      return {};
    }());
  }

  Outcome begin_timing(std::span<const std::byte> arena, const ArenaPlan& plan,
                       bool cold) override {
    cold_ = cold;
    if (cold && eviction_.empty()) eviction_.resize(eviction_bytes());
    return outcome_of([&]() -> Result<void> {
      const std::span<std::byte> memory = TRY(memory_.at_least(plan.bytes));
      std::memcpy(memory.data(), arena.data(), plan.bytes);
      return program_->place(addresses(memory, plan));
    }());
  }

  Result<double> sample(int64_t runs) override {
    if (!cold_) return Executor::sample(runs);
    double seconds = 0;
    for (int64_t run = 0; run < runs; ++run) {
      evict();
      seconds += TRY(program_->run());
    }
    return seconds;
  }

  PeakReply peak(const PeakRequest& request) override { return peak_of(pool_, target_, request); }

 private:
  LoadedProgram& program() override { return *program_; }

  // All threads together twice the last cache, and each twice its own: what one thread touches
  // leaves the second level of the others as it was.
  size_t eviction_bytes() const {
    return static_cast<size_t>(2 * (target_.l3_bytes + pool_.threads() * target_.l2_bytes));
  }

  void evict() {
    void* const buffer = eviction_.data();
    pool_.parallel_for(touch_lines, &buffer,
                       static_cast<int64_t>(eviction_.size() / kBufferAlignment));
  }

  Target target_;
  ThreadPool pool_;
  std::unique_ptr<LoadedProgram> program_;
  HugePages memory_;
  bool cold_ = false;
  std::vector<std::byte> eviction_;  // larger than every cache
};

}  // namespace

std::unique_ptr<Executor> make_cpu_executor(const Target& target, const std::vector<int>& cores) {
  return std::make_unique<CpuExecutor>(target, cores);
}

}  // namespace dovetail

#endif
