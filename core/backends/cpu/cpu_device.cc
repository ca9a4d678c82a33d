// SPDX-License-Identifier: Apache-2.0
#include "core/backends/cpu/cpu_device.h"

#include <optional>

#include "core/base/fail.h"
#include "core/base/stopwatch.h"
#include "core/codegen/llvm/loader.h"
#include "core/ir/layout/layout.h"
#include "core/runtime/huge_pages.h"

namespace dovetail {
namespace {

constexpr int64_t kLargeBytes = int64_t{1} << 20;

struct HugeMemory : ArrayMemory {
  HugePages pages;
};

class CpuCode : public LoadedCode {
 public:
  CpuCode(std::vector<LoadedObject> objects, ThreadPool& threads)
      : objects_(std::move(objects)), threads_(threads) {}

  Result<void> find_kernels(const std::vector<Launch>& launches) {
    for (const Launch& launch : launches)
      kernels_.push_back({TRY(find(launch.name)), launch.extent, launch.buffers, {}});
    return {};
  }

  Result<void> bind(std::span<const NDArray> buffers) override {
    buffers_.assign(buffers.begin(), buffers.end());
    for (BoundKernel& kernel : kernels_) {
      kernel.table.clear();
      for (const int buffer : kernel.buffers) kernel.table.push_back(TRY(address_of(buffer)));
    }
    return {};
  }

  Result<double> run(size_t first, size_t last, int64_t repetitions) override {
    const Stopwatch watch;
    for (int64_t i = 0; i < repetitions; ++i)
      for (size_t k = first; k < last; ++k)
        threads_.parallel_for(kernels_[k].function, kernels_[k].table.data(), kernels_[k].extent);
    return watch.seconds() / static_cast<double>(repetitions);
  }

 private:
  struct BoundKernel {
    CpuKernel function = nullptr;
    int64_t extent = 1;
    std::vector<int> buffers;
    std::vector<void*> table;
  };

  Result<CpuKernel> find(const std::string& kernel) const {
    for (const LoadedObject& object : objects_)
      if (const auto found = object.find(kernel)) return *found;
    return fail("no object has kernel {}", kernel);
  }

  Result<void*> address_of(int buffer) const {
    if (buffer < 0 || static_cast<size_t>(buffer) >= buffers_.size())
      return fail("a kernel takes buffer {} of {}", buffer, buffers_.size());
    const NDArray& array = buffers_[static_cast<size_t>(buffer)];
    // A buffer that no launch of this network reads has no memory.
    if (!array.memory()) return nullptr;
    if (!array.is_on_host() || !array.is_dense())
      return fail("buffer {} is not dense memory of the host", buffer);
    return array.memory()->host + array.byte_offset();
  }

  std::vector<LoadedObject> objects_;
  ThreadPool& threads_;
  std::vector<BoundKernel> kernels_;
  std::vector<NDArray> buffers_;
};

class CpuDevice : public Device {
 public:
  CpuDevice(const Target& target, const std::vector<int>& cores) : target_(target), cores_(cores) {}

  const Target& target() const override { return target_; }
  bool uses_host_memory() const override { return true; }

  // Large arrays get their pages as they are written.
  Result<NDArray> allocate(ElementType type, std::vector<int64_t> shape,
                           MemoryScope scope) override {
    if (scope != MemoryScope::global)
      return fail_by_limit("scope {}: device {} has no images", print(scope), target_.device);
    const int64_t bytes = num_elements(shape) * bytes_of(type);
    if (bytes < kLargeBytes) return NDArray::zeros(type, std::move(shape));
    auto memory = std::make_shared<HugeMemory>();
    memory->host =
        TRY(memory->pages.at_least(static_cast<uint64_t>(bytes), PagesCome::when_written)).data();
    return NDArray::in(std::move(memory), type, std::move(shape));
  }

  Result<std::unique_ptr<LoadedCode>> load(const Code& code) override {
    if (code.form != CodeForm::objects)
      return fail("device {} loads machine code alone", target_.device);
    std::vector<LoadedObject> objects;
    for (const std::string& object : code.objects)
      objects.push_back(TRY(LoadedObject::load(object)));
    auto loaded = std::make_unique<CpuCode>(std::move(objects), *threads());
    TRY(loaded->find_kernels(code.launches));
    return std::unique_ptr<LoadedCode>(std::move(loaded));
  }

  ThreadPool* threads() override {
    if (!threads_) threads_.emplace(cores_);
    return &*threads_;
  }

 private:
  Target target_;
  std::vector<int> cores_;
  std::optional<ThreadPool> threads_;
};

}  // namespace

Result<std::unique_ptr<Device>> open_cpu_device(const Target& target,
                                                const std::vector<int>& cores) {
  return std::unique_ptr<Device>(std::make_unique<CpuDevice>(target, cores));
}

}  // namespace dovetail
