// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/loaded_program.h"

#include <algorithm>

#include "core/base/fail.h"
#include "core/base/stopwatch.h"

namespace dovetail {
namespace {

class LoadedCpuProgram : public LoadedProgram {
 public:
  LoadedCpuProgram(FindKernel find, ThreadPool& threads)
      : find_(std::move(find)), threads_(threads) {}

  Result<void> find_kernels(const Artifact& artifact) {
    for (const ArtifactKernel& kernel : artifact.kernels)
      kernels_.push_back({TRY(find_(kernel.name)), kernel.extent, kernel.buffers, {}});
    first_repeated_ = std::min(static_cast<size_t>(artifact.kernels_once), kernels_.size());
    return {};
  }

  Result<void> place(std::span<void* const> buffers) override {
    for (PlacedKernel& kernel : kernels_) TRY(kernel.place(buffers));
    return {};
  }

  Result<void> prepare() override { return prepare_part(0, first_repeated_); }

  Result<void> prepare_part(size_t first, size_t last) override {
    launch(first, std::min(last, first_repeated_));
    return {};
  }

  Result<double> run(int64_t repetitions) override {
    const Stopwatch watch;
    for (int64_t i = 0; i < repetitions; ++i) launch(first_repeated_, kernels_.size());
    return watch.seconds() / static_cast<double>(repetitions);
  }

  Result<void> fetch() override { return {}; }

  Result<double> run_part(size_t first, size_t last) override {
    const Stopwatch watch;
    launch(first_repeated_ + first, std::min(first_repeated_ + last, kernels_.size()));
    return watch.seconds();
  }

  Result<void> give_buffer(size_t) override { return {}; }
  Result<void> fetch_buffer(size_t) override { return {}; }

 private:
  struct PlacedKernel {
    CpuKernel function = nullptr;
    int64_t extent = 1;
    std::vector<int> own;  // buffer indices; empty: all buffers
    std::vector<void*> table;

    Result<void> place(std::span<void* const> buffers) {
      table.assign(buffers.begin(), buffers.end());
      if (own.empty()) return {};
      table.clear();
      for (const int buffer : own) {
        if (buffer < 0 || static_cast<size_t>(buffer) >= buffers.size())
          return fail("a kernel takes buffer {} of {}", buffer, buffers.size());
        table.push_back(buffers[static_cast<size_t>(buffer)]);
      }
      return {};
    }
  };

  void launch(size_t first, size_t last) {
    for (size_t k = first; k < last; ++k)
      threads_.parallel_for(kernels_[k].function, kernels_[k].table.data(), kernels_[k].extent);
  }

  FindKernel find_;
  ThreadPool& threads_;
  std::vector<PlacedKernel> kernels_;
  size_t first_repeated_ = 0;  // kernels before this one prepare constants
};

}  // namespace

Result<std::unique_ptr<LoadedProgram>> load_on_cpu(const Artifact& artifact, FindKernel find,
                                                   ThreadPool& threads) {
  auto program = std::make_unique<LoadedCpuProgram>(std::move(find), threads);
  TRY(program->find_kernels(artifact));
  return program;
}

}  // namespace dovetail
