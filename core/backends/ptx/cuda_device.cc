// SPDX-License-Identifier: Apache-2.0
#include "core/backends/ptx/cuda_device.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "core/backends/kept_by_text.h"
#include "core/backends/ptx/driver/cuda_api.h"
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
constexpr double kLeastSample = 0.5e-3;    // events resolve half a microsecond
constexpr size_t kMostNodes = 2000;        // of a graph

// The context of a device, and the stream in which all its kernels run.
class CudaQueue {
 public:
  CudaQueue(const CudaApi& api, CudaDeviceNumber device) : api_(api), device_(device) {}
  CudaQueue(const CudaQueue&) = delete;
  CudaQueue& operator=(const CudaQueue&) = delete;
  ~CudaQueue() {
    if (context_ == nullptr) return;
    api_.context_set(context_);
    for (CudaEvent event : {begin_, end_})
      if (event != nullptr) api_.event_destroy(event);
    if (stream_ != nullptr) api_.stream_destroy(stream_);
    api_.context_release(device_);
  }

  Result<void> open() {
    constexpr unsigned kApart = 1;  // CU_STREAM_NON_BLOCKING: from the stream of copies
    TRY(check_cuda(api_, "cuDevicePrimaryCtxRetain", api_.context_retain(&context_, device_)));
    TRY(enter());
    TRY(check_cuda(api_, "cuStreamCreate", api_.stream_create(&stream_, kApart)));
    TRY(check_cuda(api_, "cuEventCreate", api_.event_create(&begin_, 0)));
    return check_cuda(api_, "cuEventCreate", api_.event_create(&end_, 0));
  }

  const CudaApi& api() const { return api_; }
  CudaStream stream() const { return stream_; }
  // Calls of this thread are then about this context.
  Result<void> enter() const { return check_cuda(api_, "cuCtxSetCurrent", api_.context_set(context_)); }

  Result<void> check(std::string_view call, CudaResult code, std::string_view what = {}) const {
    return check_cuda(api_, call, code, what);
  }

  Result<void> record_begin() const { return record(begin_); }
  Result<void> record_end() const { return record(end_); }
  // Waits, and returns the time between both.
  Result<double> seconds() const {
    TRY(check_cuda(api_, "cuStreamSynchronize", api_.stream_wait(stream_)));
    float milliseconds = 0;
    TRY(check_cuda(api_, "cuEventElapsedTime", api_.event_milliseconds(&milliseconds, begin_, end_)));
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  Result<void> record(CudaEvent event) const {
    return check_cuda(api_, "cuEventRecord", api_.event_record(event, stream_));
  }

  const CudaApi& api_;
  CudaDeviceNumber device_;
  CudaContext context_ = nullptr;
  CudaStream stream_ = nullptr;
  CudaEvent begin_ = nullptr, end_ = nullptr;
};

struct CudaMemory : ArrayMemory {
  ~CudaMemory() override {
    if (address != 0 && queue->enter()) queue->api().memory_free(address);
  }
  std::shared_ptr<const CudaQueue> queue;
  CudaAddress address = 0;
};

struct CudaLoaded {
  CudaLoaded() = default;
  CudaLoaded(const CudaLoaded&) = delete;
  CudaLoaded& operator=(const CudaLoaded&) = delete;
  ~CudaLoaded() {
    if (module != nullptr && queue->enter()) queue->api().module_unload(module);
  }
  std::shared_ptr<const CudaQueue> queue;
  CudaModule module = nullptr;
};

struct OwnedGraph {
  OwnedGraph() = default;
  OwnedGraph(const OwnedGraph&) = delete;
  OwnedGraph& operator=(const OwnedGraph&) = delete;
  ~OwnedGraph() {
    if (run != nullptr && queue->enter()) queue->api().graph_run_destroy(run);
  }
  std::shared_ptr<const CudaQueue> queue;
  CudaGraphRun run = nullptr;
};

struct BoundLaunch {
  CudaFunction function = nullptr;
  Launch launch;
  std::vector<CudaAddress> addresses;  // of its arguments
};

class CudaCode : public LoadedCode {
 public:
  CudaCode(std::shared_ptr<const CudaQueue> queue,
           std::vector<std::shared_ptr<const CudaLoaded>> modules)
      : queue_(std::move(queue)), modules_(std::move(modules)) {}

  Result<void> find_functions(const std::vector<Launch>& launches) {
    for (const Launch& launch : launches)
      launches_.push_back({.function = TRY(function_named(launch.name)), .launch = launch, .addresses = {}});
    return {};
  }

  Result<void> bind(std::span<const NDArray> buffers) override {
    graphs_.clear();  // they have the former addresses
    buffers_.assign(buffers.begin(), buffers.end());
    for (BoundLaunch& bound : launches_) {
      bound.addresses.clear();
      for (const int buffer : bound.launch.buffers)
        bound.addresses.push_back(TRY(address_of(bound.launch.name, buffer)));
    }
    return {};
  }

  Result<double> run(size_t first, size_t last, int64_t repetitions) override {
    return timed(first, last, 1, repetitions);
  }

  // As many repetitions in a graph as it may have.
  Result<double> time(size_t first, size_t last, int64_t repetitions) override {
    const size_t fit = std::max<size_t>(kMostNodes / std::max<size_t>(last - first, 1), 1);
    const auto wanted = static_cast<size_t>(repetitions);
    const size_t graphs = (wanted + fit - 1) / fit;
    const size_t in_graph = (wanted + graphs - 1) / graphs;
    return timed(first, last, in_graph, static_cast<int64_t>(graphs));
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
    constexpr size_t kMostGraphs = 8;
    if (graphs_.size() >= kMostGraphs) graphs_.clear();
    auto made = std::make_unique<OwnedGraph>();
    made->queue = queue_;
    const CudaApi& api = queue_->api();
    constexpr int kOfThisThread = 1;  // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
    TRY(queue_->check("cuStreamBeginCapture", api.capture_begin(queue_->stream(), kOfThisThread)));
    const Result<void> captured = capture(range);
    CudaGraph graph = nullptr;
    const CudaResult ended = api.capture_end(queue_->stream(), &graph);
    TRY(captured);
    TRY(queue_->check("cuStreamEndCapture", ended));
    const CudaResult code = api.graph_instantiate(&made->run, graph, 0);
    api.graph_destroy(graph);
    TRY(queue_->check("cuGraphInstantiate", code));
    TRY(queue_->check("cuGraphUpload", api.graph_upload(made->run, queue_->stream())));
    return graphs_.emplace(range, std::move(made)).first->second->run;
  }

  Result<void> capture(const Range& range) {
    const auto& [first, last, repetitions] = range;
    for (size_t i = 0; i < repetitions; ++i)
      for (size_t l = first; l < last; ++l) TRY(enqueue(launches_[l]));
    return {};
  }

  Result<void> enqueue(BoundLaunch& bound) {
    const Launch& launch = bound.launch;
    std::vector<void*> arguments;
    for (CudaAddress& address : bound.addresses) arguments.push_back(&address);
    std::array<unsigned, 3> groups, items;
    for (size_t i = 0; i < 3; ++i) {
      items[i] = static_cast<unsigned>(launch.local[i]);
      groups[i] = static_cast<unsigned>(launch.global[i] / launch.local[i]);
    }
    const CudaResult code = queue_->api().launch(bound.function, groups[0], groups[1], groups[2],
                                                 items[0], items[1], items[2], 0,
                                                 queue_->stream(), arguments.data(), nullptr);
    return queue_->check("cuLaunchKernel", code,
                      fmt::format("kernel {}, {}x{}x{} groups of {}x{}x{} work-items", launch.name,
                                  groups[0], groups[1], groups[2], items[0], items[1], items[2]));
  }

  std::shared_ptr<const CudaQueue> queue_;
  std::vector<std::shared_ptr<const CudaLoaded>> modules_;
  std::vector<NDArray> buffers_;
  std::vector<BoundLaunch> launches_;
  std::map<Range, std::unique_ptr<OwnedGraph>> graphs_;  // released before what they refer to
};

// The assembler's own line, or the driver's word for it.
Result<std::string> assembled(const CudaApi& api, const std::string& text) {
  std::array<char, 4096> log = {};
  constexpr int kErrorLog = 5, kErrorLogBytes = 6, kPtx = 1;  // CUjit_option, CUjitInputType
  std::array<int, 2> keys = {kErrorLog, kErrorLogBytes};
  std::array<void*, 2> values = {log.data(), reinterpret_cast<void*>(log.size())};
  CudaLink link = nullptr;
  TRY(check_cuda(api, "cuLinkCreate", api.link_create(keys.size(), keys.data(), values.data(), &link)));
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
      return fail("scope {}: device {} has no images by PTX", print(scope), target_.device);
    TRY(queue_->enter());
    auto memory = std::make_shared<CudaMemory>();
    memory->queue = queue_;
    const auto bytes = static_cast<size_t>(num_elements(shape) * bytes_of(type));
    TRY(queue_->check("cuMemAlloc", queue_->api().memory_alloc(&memory->address, std::max<size_t>(bytes, 1)),
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
    auto loaded = std::make_unique<CudaCode>(queue_, std::move(modules));
    TRY(loaded->find_functions(code.launches));
    return std::unique_ptr<LoadedCode>(std::move(loaded));
  }

  double least_sample_seconds() const override { return kLeastSample; }

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
