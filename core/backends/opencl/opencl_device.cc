// SPDX-License-Identifier: Apache-2.0
#include "core/backends/opencl/opencl_device.h"

#include <algorithm>
#include <map>

#include "core/backends/opencl/driver/opencl_api.h"
#include "core/backends/opencl/driver/opencl_gate.h"
#include "core/backends/opencl/driver/opencl_memory.h"
#include "core/backends/opencl/opencl_programs.h"
#include "core/base/fail.h"

namespace dovetail {
namespace {

// Stretches of 30 µs read an empty kernel's 1.6 µs as 4.5 on an H200; from half a millisecond on
// events agree with the difference of two counts of runs within 3 %.
constexpr double kLeastSample = 0.5e-3;

// The kernel whose function a text has, if it has one alone; else none.
const Launch* only_kernel(const std::string& text, const std::vector<Launch>& launches) {
  const Launch* found = nullptr;
  for (const Launch& launch : launches) {
    if (text.find(" " + launch.name + "(") == text.npos) continue;
    if (found != nullptr && found->name != launch.name) return nullptr;
    found = &launch;
  }
  return found;
}

// A kernel object for each launch keeps the launch's arguments, so that a run sets none.
struct BoundLaunch {
  OwnedKernel kernel;
  Launch launch;
};

class OpenclCode : public LoadedCode {
 public:
  // Without a gate, time() is run().
  OpenclCode(std::shared_ptr<OpenclQueue> queue, std::shared_ptr<OpenclGate> gate,
             std::vector<std::shared_ptr<const OpenclProgram>> programs)
      : queue_(std::move(queue)), gate_(std::move(gate)), programs_(std::move(programs)) {}

  Result<void> make_kernels(const std::vector<Launch>& launches) {
    for (const Launch& launch : launches) {
      cl_int code = CL_SUCCESS;
      OwnedKernel kernel(clCreateKernel(program_with(launch.name), launch.name.c_str(), &code));
      if (code != CL_SUCCESS) return opencl_error("clCreateKernel", code, "kernel " + launch.name);
      launches_.push_back({std::move(kernel), launch});
    }
    return {};
  }

  Result<void> bind(std::span<const NDArray> buffers) override {
    buffers_.assign(buffers.begin(), buffers.end());
    for (const BoundLaunch& bound : launches_) TRY(set_arguments(bound));
    return {};
  }

  Result<double> run(size_t first, size_t last, int64_t repetitions) override {
    if (first >= last) return 0.0;  // a network of views has no kernels
    const size_t total = (last - first) * static_cast<size_t>(repetitions);
    OwnedEvent begin;
    OwnedEvent end;
    for (size_t i = 0; i < total; ++i) {
      cl_event event = nullptr;
      const bool is_timed = i == 0 || i + 1 == total;
      TRY(enqueue(launches_[first + i % (last - first)], is_timed ? &event : nullptr));
      if (is_timed) (i == 0 ? begin : end).reset(event);
    }
    TRY(check_opencl("clFinish", clFinish(queue_->queue.get())));
    const double seconds = TRY(opencl_seconds(begin.get(), total > 1 ? end.get() : begin.get()));
    return seconds / static_cast<double>(repetitions);
  }

  Result<double> time(size_t first, size_t last, int64_t repetitions) override {
    const size_t launches = (last - first) * static_cast<size_t>(repetitions);
    if (gate_ && launches > 0) TRY(gate_->close(*queue_, launches));
    return run(first, last, repetitions);
  }

 private:
  // The first one if none has it: the driver then says so.
  cl_program program_with(const std::string& kernel) const {
    for (const auto& one : programs_)
      if (std::ranges::count(one->kernels, kernel) > 0) return one->program.get();
    return programs_.front()->program.get();
  }

  Result<void> set_arguments(const BoundLaunch& bound) {
    for (size_t i = 0; i < bound.launch.buffers.size(); ++i) {
      const auto buffer = static_cast<size_t>(bound.launch.buffers[i]);
      if (bound.launch.buffers[i] < 0 || buffer >= buffers_.size())
        return fail("kernel {} takes buffer {} of {}", bound.launch.name, bound.launch.buffers[i],
                    buffers_.size());
      const Result<cl_mem> memory = opencl_argument(buffers_[buffer], *queue_);
      if (!memory)
        return fail("kernel {}, buffer {}: {}", bound.launch.name, buffer, memory.error().message);
      const cl_int code =
          clSetKernelArg(bound.kernel.get(), static_cast<cl_uint>(i), sizeof *memory, &*memory);
      if (code != CL_SUCCESS)
        return opencl_error("clSetKernelArg", code,
                            fmt::format("kernel {}, argument {}", bound.launch.name, i));
    }
    return {};
  }

  Result<void> enqueue(const BoundLaunch& bound, cl_event* event) {
    const Launch& launch = bound.launch;
    std::array<size_t, 3> global;
    std::array<size_t, 3> local;
    for (size_t i = 0; i < 3; ++i) {
      global[i] = static_cast<size_t>(launch.global[i]);
      local[i] = static_cast<size_t>(launch.local[i]);
    }
    const cl_int code = clEnqueueNDRangeKernel(queue_->queue.get(), bound.kernel.get(), 3, nullptr,
                                               global.data(), local.data(), 0, nullptr, event);
    if (code == CL_SUCCESS) return {};
    return opencl_error(
        "clEnqueueNDRangeKernel", code,
        fmt::format("kernel {}, {}x{}x{} work-items in groups of {}x{}x{}", launch.name, global[0],
                    global[1], global[2], local[0], local[1], local[2]));
  }

  std::shared_ptr<OpenclQueue> queue_;
  std::shared_ptr<OpenclGate> gate_;
  std::vector<std::shared_ptr<const OpenclProgram>> programs_;
  std::vector<NDArray> buffers_;
  std::vector<BoundLaunch> launches_;  // released before the buffers that they take
};

class OpenclDevice : public Device {
 public:
  OpenclDevice(OpenclHandle handle, std::shared_ptr<OpenclQueue> queue)
      : handle_(std::move(handle)), queue_(std::move(queue)), programs_(queue_, id()) {
    // A CPU would spin on the cores that the host enqueues with.
    if (!handle_.is_cpu) gate_ = std::make_shared<OpenclGate>(id());
  }

  const Target& target() const override { return handle_.target; }

  Result<NDArray> allocate(ElementType type, std::vector<int64_t> shape,
                           MemoryScope scope) override {
    auto memory = TRY(allocate_opencl(queue_, target(), type, shape, scope));
    return NDArray::in(std::move(memory), type, std::move(shape));
  }

  Result<Code> build(Code code) override {
    if (code.form != CodeForm::opencl_source && code.form != CodeForm::ptx) return code;
    for (std::string& object : code.objects) {
      Result<std::string> binary = programs_.binary_of(code.form, object);
      if (!binary) {
        const Launch* const kernel = only_kernel(object, code.launches);
        if (kernel == nullptr) return Unexpected(binary.error());
        return fail_in("kernel " + kernel->name, binary.error());
      }
      object = *std::move(binary);
    }
    code.form = CodeForm::driver_binary;
    return code;
  }

  int64_t compiled_texts() const override { return programs_.compiled_texts(); }

  Result<std::unique_ptr<LoadedCode>> load(const Code& code) override {
    if (code.form != CodeForm::driver_binary || code.objects.empty())
      return fail("device {} loads binaries of its driver alone", target().device);
    std::vector<std::shared_ptr<const OpenclProgram>> programs;
    for (const std::string& binary : code.objects)
      programs.push_back(TRY(programs_.program_of(binary)));
    auto loaded = std::make_unique<OpenclCode>(queue_, gate_, std::move(programs));
    TRY(loaded->make_kernels(code.launches));
    return std::unique_ptr<LoadedCode>(std::move(loaded));
  }

  double least_sample_seconds() const override { return handle_.is_cpu ? 0 : kLeastSample; }

 private:
  cl_device_id id() const { return static_cast<cl_device_id>(handle_.device); }

  Result<const OpenclMemory*> own(const ArrayMemory& memory) const {
    const auto* found = dynamic_cast<const OpenclMemory*>(&memory);
    if (found != nullptr && found->queue == queue_) return found;
    return fail("an array of another device than {}", target().device);
  }

  Result<void> read(const ArrayMemory& memory, int64_t first, std::span<std::byte> bytes) override {
    return read_opencl(*TRY(own(memory)), first, bytes);
  }
  Result<void> write(const ArrayMemory& memory, int64_t first,
                     std::span<const std::byte> bytes) override {
    return write_opencl(*TRY(own(memory)), first, bytes);
  }

  OpenclHandle handle_;
  std::shared_ptr<OpenclQueue> queue_;
  std::shared_ptr<OpenclGate> gate_;
  OpenclPrograms programs_;
};

}  // namespace

Result<std::unique_ptr<Device>> open_opencl_device(const TargetName& name) {
  return open_opencl_device(TRY(find_opencl_device(name)));
}

Result<std::unique_ptr<Device>> open_opencl_device(OpenclHandle handle) {
  auto queue = std::make_shared<OpenclQueue>();
  const cl_context_properties properties[] = {
      CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(handle.platform), 0};
  const auto id = static_cast<cl_device_id>(handle.device);
  cl_int code = CL_SUCCESS;
  queue->context.reset(clCreateContext(properties, 1, &id, nullptr, nullptr, &code));
  if (code != CL_SUCCESS) return opencl_error("clCreateContext", code, handle.target.device);
  // OpenCL 1.2's call, which every driver has; queues are in-order by default.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  queue->queue.reset(
      clCreateCommandQueue(queue->context.get(), id, CL_QUEUE_PROFILING_ENABLE, &code));
#pragma GCC diagnostic pop
  TRY(check_opencl("clCreateCommandQueue", code));
  return std::unique_ptr<Device>(
      std::make_unique<OpenclDevice>(std::move(handle), std::move(queue)));
}

}  // namespace dovetail
