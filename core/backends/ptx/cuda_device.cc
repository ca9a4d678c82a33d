// SPDX-License-Identifier: Apache-2.0
#include "core/backends/ptx/cuda_device.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/backends/kept_by_text.h"
#include "core/backends/ptx/cuda_code.h"
#include "core/backends/ptx/cuda_queue.h"
#include "core/base/fail.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

// cuda.h, CUdevice_attribute.
enum class Attribute : int {
  max_work_items = 1,
  max_items_x = 2,
  max_items_y = 3,
  max_items_z = 4,
  local_bytes = 8,
  warp = 10,
  registers = 12,
  units = 16,
  unit_work_items = 39,
  capability_major = 75,
  capability_minor = 76,
  unit_local_bytes = 81,
  unit_registers = 82,
  most_local_bytes = 97
};

constexpr int64_t kBufferAlignment = 512;  // what cuMemAlloc gives, and parts keep to

// The assembler's own line, or the driver's word for it.
Result<std::string> assembled(const CudaApi& api, const std::string& text) {
  std::array<char, 4096> log = {};
  constexpr int kErrorLog = 5, kErrorLogBytes = 6, kPtx = 1;  // CUjit_option, CUjitInputType
  std::array<int, 2> keys = {kErrorLog, kErrorLogBytes};
  std::array<void*, 2> values = {log.data(), reinterpret_cast<void*>(log.size())};
  CudaLink link = nullptr;
  TRY(check_cuda(api, "cuLinkCreate",
                 api.link_create(keys.size(), keys.data(), values.data(), &link)));
  void* binary = nullptr;
  size_t size = 0;
  std::string terminated = text;  // the size counts the zero
  CudaResult code = api.link_add(link, kPtx, terminated.data(), terminated.size() + 1, "kernels", 0,
                                 nullptr, nullptr);
  const char* call = "cuLinkAddData";
  if (code == 0) {
    code = api.link_complete(link, &binary, &size);
    call = "cuLinkComplete";
  }
  std::string bytes(static_cast<const char*>(binary), code == 0 ? size : 0);
  api.link_destroy(link);
  TRY(check_cuda(api, call, code, first_error_line(log.data())));
  return bytes;
}

class CudaDeviceHere : public Device {
 public:
  CudaDeviceHere(Target target, std::shared_ptr<const CudaQueue> queue)
      : target_(std::move(target)), queue_(std::move(queue)) {}

  const Target& target() const override { return target_; }

  Result<NDArray> allocate(ElementType type, std::vector<int64_t> shape,
                           MemoryScope scope) override {
    if (is_texture(scope))
      return fail_by_limit("scope {}: device {} has no images by PTX", print(scope),
                           target_.device);
    TRY(queue_->enter());
    auto memory = std::make_shared<CudaMemory>();
    memory->queue = queue_;
    const auto bytes = static_cast<size_t>(num_elements(shape) * bytes_of(type));
    TRY(queue_->check("cuMemAlloc",
                      queue_->api().memory_alloc(&memory->address, std::max<size_t>(bytes, 1)),
                      fmt::format("{} bytes", bytes)));
    return NDArray::in(std::move(memory), type, std::move(shape));
  }

  Result<Code> build(Code code) override {
    if (code.form != CodeForm::ptx) return code;
    TRY(queue_->enter());
    for (std::string& object : code.objects) {
      if (const std::string* known = binaries_.find(object)) {
        object = std::string(*known);
        continue;
      }
      ++compiled_texts_;
      std::string binary = TRY(assembled(queue_->api(), object));
      binaries_.keep(object, binary, binary.size());
      object = std::move(binary);
    }
    code.form = CodeForm::driver_binary;
    return code;
  }

  int64_t compiled_texts() const override { return compiled_texts_; }

  Result<std::unique_ptr<LoadedCode>> load(const Code& code) override {
    if (code.form != CodeForm::driver_binary || code.objects.empty())
      return fail("device {} loads binaries of its driver alone", target_.device);
    TRY(queue_->enter());
    std::vector<std::shared_ptr<const CudaLoaded>> modules;
    for (const std::string& binary : code.objects) modules.push_back(TRY(module_of(binary)));
    return load_cuda_code(queue_, std::move(modules), code.launches);
  }

  double least_sample_seconds() const override {
    return 0.2e-3;
  }  // events resolve half a microsecond

 private:
  static constexpr size_t kMostBinaryBytes = size_t{64} << 20;  // with their texts
  static constexpr size_t kMostModuleBytes = size_t{32} << 20;

  Result<std::shared_ptr<const CudaLoaded>> module_of(const std::string& binary) {
    if (const auto* known = modules_.find(binary)) return *known;
    auto made = std::make_shared<CudaLoaded>();
    made->queue = queue_;
    TRY(queue_->check("cuModuleLoadData", queue_->api().module_load(&made->module, binary.data())));
    std::shared_ptr<const CudaLoaded> loaded = std::move(made);
    modules_.keep(binary, loaded, binary.size());
    return loaded;
  }

  Result<const CudaMemory*> own(const ArrayMemory& memory) const {
    const auto* found = dynamic_cast<const CudaMemory*>(&memory);
    if (found != nullptr && found->queue == queue_) return found;
    return fail("an array of another device than {}", target_.device);
  }

  Result<void> read(const ArrayMemory& memory, int64_t first, std::span<std::byte> bytes) override {
    const CudaAddress from = TRY(own(memory))->address + static_cast<CudaAddress>(first);
    TRY(queue_->enter());
    return queue_->check("cuMemcpyDtoH",
                         queue_->api().copy_from_device(bytes.data(), from, bytes.size()));
  }
  Result<void> write(const ArrayMemory& memory, int64_t first,
                     std::span<const std::byte> bytes) override {
    const CudaAddress to = TRY(own(memory))->address + static_cast<CudaAddress>(first);
    TRY(queue_->enter());
    return queue_->check("cuMemcpyHtoD",
                         queue_->api().copy_to_device(to, bytes.data(), bytes.size()));
  }

  Target target_;
  std::shared_ptr<const CudaQueue> queue_;
  KeptByText<std::string> binaries_{kMostBinaryBytes};
  KeptByText<std::shared_ptr<const CudaLoaded>> modules_{kMostModuleBytes};
  int64_t compiled_texts_ = 0;
};

Result<int64_t> attribute(const CudaApi& api, CudaDeviceNumber device, Attribute what) {
  int value = 0;
  TRY(check_cuda(api, "cuDeviceGetAttribute",
                 api.device_attribute(&value, static_cast<int>(what), device)));
  return value;
}

// LLVM's name of the newest processor whose PTX the device takes. Instructions of sm_90a are of
// Hopper alone; later processors take what is common to all.
std::string processor_of(int64_t capability) {
  constexpr int64_t kHopper = 90;
  if (capability == kHopper) return "sm_90a";
  return fmt::format("sm_{}", std::min(capability, kHopper));
}

Result<CudaDevice> describe(const CudaApi& api, int number) {
  CudaDevice found{.number = number, .compute_capability = 0, .target = {}};
  CudaDeviceNumber device = 0;
  TRY(check_cuda(api, "cuDeviceGet", api.device_get(&device, number)));
  std::array<char, 256> name = {};
  TRY(check_cuda(api, "cuDeviceGetName", api.device_name(name.data(), name.size(), device)));
  int version = 0;
  TRY(check_cuda(api, "cuDriverGetVersion", api.driver_version(&version)));
  const auto number_of = [&](Attribute what) { return attribute(api, device, what); };
  found.compute_capability = 10 * TRY(number_of(Attribute::capability_major)) +
                             TRY(number_of(Attribute::capability_minor));
  Target& target = found.target;
  target.execution = ExecutionModel::work_groups;
  target.device = name.data();
  target.name.device = target.device;
  target.driver = fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
  target.vector_bytes = 16;  // the widest load
  target.max_work_group_size = TRY(number_of(Attribute::max_work_items));
  target.max_work_item_sizes = {TRY(number_of(Attribute::max_items_x)),
                                TRY(number_of(Attribute::max_items_y)),
                                TRY(number_of(Attribute::max_items_z))};
  target.local_memory_bytes = TRY(number_of(Attribute::most_local_bytes));
  target.compute_units = TRY(number_of(Attribute::units));
  target.lockstep_work_items = TRY(number_of(Attribute::warp));
  target.unit_registers = TRY(number_of(Attribute::unit_registers));
  target.unit_work_items = TRY(number_of(Attribute::unit_work_items));
  target.unit_local_bytes = TRY(number_of(Attribute::unit_local_bytes));
  constexpr int64_t kMostRegisters = 255, kVectorElements = 4;  // a work-item has
  target.vector_registers = kMostRegisters / kVectorElements;
  target.buffer_alignment = kBufferAlignment;
  target.has_fp64 = true;
  target.llvm_cpu = processor_of(found.compute_capability);
  return found;
}

}  // namespace

Result<std::vector<CudaDevice>> find_cuda_devices(const CudaApi& api) {
  int count = 0;
  TRY(check_cuda(api, "cuDeviceGetCount", api.device_count(&count)));
  std::vector<CudaDevice> devices;
  for (int number = 0; number < count; ++number) devices.push_back(TRY(describe(api, number)));
  return devices;
}

Result<std::unique_ptr<Device>> open_cuda_device(const CudaApi& api, const CudaDevice& device) {
  CudaDeviceNumber number = 0;
  TRY(check_cuda(api, "cuDeviceGet", api.device_get(&number, device.number)));
  auto queue = std::make_shared<CudaQueue>(api, number);
  TRY(queue->open());
  return std::unique_ptr<Device>(std::make_unique<CudaDeviceHere>(device.target, std::move(queue)));
}

}  // namespace dovetail
