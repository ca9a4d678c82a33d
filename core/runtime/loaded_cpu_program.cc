// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/loaded_program.h"

#include <algorithm>

#include "core/base/stopwatch.h"

namespace dovetail {
namespace {

class LoadedCpuProgram : public LoadedProgram {
 public:
  LoadedCpuProgram(FindKernel find, ThreadPool& threads)
      : find_(std::move(find)), threads_(threads) {}

  Result<void> find_kernels(const Artifact& artifact) {
    for (const ArtifactKernel& kernel : artifact.kernels)
      kernels_.push_back({TRY(find_(kernel.name)), kernel.extent});
    first_repeated_ = std::min(static_cast<size_t>(artifact.kernels_once), kernels_.size());
    return {};
  }

  Result<void> place(std::span<void* const> buffers) override {
    buffers_.assign(buffers.begin(), buffers.end());
    return {};
  }

  Result<void> prepare() override {
    launch(0, first_repeated_);
    return {};
  }

  Result<double> run(int64_t repetitions) override {
    const Stopwatch watch;
    for (int64_t i = 0; i < repetitions; ++i) launch(first_repeated_, kernels_.size());
    return watch.seconds() / static_cast<double>(repetitions);
  }

  Result<void> fetch() override { return {}; }

 private:
  struct PlacedKernel {
    CpuKernel function = nullptr;
    int64_t extent = 1;
  };

  void launch(size_t first, size_t last) {
    for (size_t k = first; k < last; ++k)
      threads_.parallel_for(kernels_[k].function, buffers_.data(), kernels_[k].extent);
  }

  FindKernel find_;
  ThreadPool& threads_;
  std::vector<PlacedKernel> kernels_;
  size_t first_repeated_ = 0;  // kernels before this one prepare constants
  std::vector<void*> buffers_;
};

}  // namespace

Result<std::unique_ptr<LoadedProgram>> load_on_cpu(const Artifact& artifact, FindKernel find,
                                                   ThreadPool& threads) {
  auto program = std::make_unique<LoadedCpuProgram>(std::move(find), threads);
  TRY(program->find_kernels(artifact));
  return program;
}

}  // namespace dovetail
