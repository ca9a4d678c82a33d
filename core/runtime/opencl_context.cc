// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/opencl_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>

#include "core/base/check.h"
#include "core/ir/layout/image_shape.h"
#include "core/runtime/opencl_api.h"

#if DOVETAIL_HAVE_OPENCL
#include <CL/cl.h>

namespace dovetail {
namespace {

// Fill pattern of the guard zones beside a buffer: a NaN that no kernel computes.
constexpr uint32_t kGuardWord = 0x7fc0dead;
constexpr size_t kGuardBytes = 4096;  // a multiple of every device's base alignment

template <auto Release>
struct Releaser {
  void operator()(auto* handle) const { Release(handle); }
};
template <typename Handle, auto Release>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Releaser<Release>>;

using OwnedContext = Owned<cl_context, clReleaseContext>;
using OwnedQueue = Owned<cl_command_queue, clReleaseCommandQueue>;
using OwnedMemory = Owned<cl_mem, clReleaseMemObject>;
using OwnedKernel = Owned<cl_kernel, clReleaseKernel>;
using OwnedEvent = Owned<cl_event, clReleaseEvent>;
using OwnedProgram = Owned<cl_program, clReleaseProgram>;

}  // namespace

struct OpenclMemory::State {
  OwnedMemory whole;   // with guard zones
  OwnedMemory inside;  // without them; empty when there are none
  ElementType dtype = ElementType::f32;
  int64_t elements = 0;
  bool guarded = false, image = false;
  std::array<size_t, 3> region = {1, 1, 1};  // images only

  cl_mem handle() const { return guarded ? inside.get() : whole.get(); }
  size_t bytes() const { return static_cast<size_t>(elements * bytes_of(dtype)); }
};

struct OpenclProgram::State {
  OwnedProgram program;
  std::map<std::string, OwnedKernel> kernels;
};

struct OpenclContext::State {
  OpenclDevice device;
  OwnedContext context;
  OwnedQueue queue;

  cl_device_id id() const { return static_cast<cl_device_id>(device.device); }
};

namespace {

constexpr size_t kOrigin[3] = {0, 0, 0};

Result<void> checked(std::string_view call, cl_int code) {
  if (code != CL_SUCCESS) return opencl_error(call, code);
  return {};
}

Result<void> create_image(cl_context context, const ImageShape& shape,
                          OpenclMemory::State& memory) {
  memory.image = true;
  memory.region = {static_cast<size_t>(shape.width), static_cast<size_t>(shape.height),
                   static_cast<size_t>(shape.layers)};
  const cl_image_format format = {
      CL_RGBA,
      static_cast<cl_channel_type>(memory.dtype == ElementType::f16 ? CL_HALF_FLOAT : CL_FLOAT)};
  cl_image_desc description = {};
  description.image_type = shape.is_array ? CL_MEM_OBJECT_IMAGE2D_ARRAY : CL_MEM_OBJECT_IMAGE2D;
  description.image_width = memory.region[0];
  description.image_height = memory.region[1];
  description.image_array_size = shape.is_array ? memory.region[2] : 0;
  cl_int code = CL_SUCCESS;
  memory.whole.reset(
      clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, nullptr, &code));
  if (code == CL_SUCCESS) return {};
  return opencl_error("clCreateImage", code,
                      fmt::format("image {}x{}x{}", shape.width, shape.height, shape.layers));
}

Result<void> create_buffer(cl_context context, cl_command_queue queue,
                           OpenclMemory::State& memory) {
  const size_t inside = memory.bytes();
  const size_t around = memory.guarded ? 2 * kGuardBytes : 0;
  // The trailing guard zone starts right after the elements, even when they end in the middle of a
  // word.
  const size_t total = (inside + around + 3) / 4 * 4;
  cl_int code = CL_SUCCESS;
  memory.whole.reset(clCreateBuffer(context, CL_MEM_READ_WRITE, total, nullptr, &code));
  if (code != CL_SUCCESS)
    return opencl_error("clCreateBuffer", code, fmt::format("{} bytes", total));
  if (!memory.guarded) return {};
  TRY(checked("clEnqueueFillBuffer",
              clEnqueueFillBuffer(queue, memory.whole.get(), &kGuardWord, sizeof kGuardWord, 0,
                                  total, 0, nullptr, nullptr)));
  const cl_buffer_region region = {kGuardBytes, inside};
  memory.inside.reset(clCreateSubBuffer(memory.whole.get(), CL_MEM_READ_WRITE,
                                        CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  return checked("clCreateSubBuffer", code);
}

Result<void> compile(cl_program program, cl_device_id device) {
  const cl_int code = clBuildProgram(program, 1, &device, "-cl-std=CL1.2", nullptr, nullptr);
  if (code == CL_SUCCESS) return {};
  size_t size = 0;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  while (!log.empty() && log.back() == '\0') log.pop_back();
  return opencl_error("clBuildProgram", code, first_error_line(log));
}

Result<cl_kernel> kernel_named(OpenclProgram::State& program, const std::string& name) {
  const auto [found, added] = program.kernels.try_emplace(name);
  if (!added) return found->second.get();
  cl_int code = CL_SUCCESS;
  found->second.reset(clCreateKernel(program.program.get(), name.c_str(), &code));
  if (code == CL_SUCCESS) return found->second.get();
  program.kernels.erase(found);
  return opencl_error("clCreateKernel", code, "kernel " + name);
}

Result<void> enqueue(cl_command_queue queue, cl_kernel kernel, const OpenclLaunch& launch,
                     cl_event* event) {
  std::array<size_t, 3> global;
  std::array<size_t, 3> local;
  for (size_t i = 0; i < 3; ++i) {
    global[i] = static_cast<size_t>(launch.global[i]);
    local[i] = static_cast<size_t>(launch.local[i]);
  }
  const cl_int code = clEnqueueNDRangeKernel(queue, kernel, 3, nullptr, global.data(), local.data(),
                                             0, nullptr, event);
  if (code == CL_SUCCESS) return {};
  return opencl_error(
      "clEnqueueNDRangeKernel", code,
      fmt::format("kernel {}, {}x{}x{} work-items in groups of {}x{}x{}", launch.kernel, global[0],
                  global[1], global[2], local[0], local[1], local[2]));
}

Result<cl_ulong> event_time(cl_event event, cl_profiling_info what) {
  cl_ulong nanoseconds = 0;
  TRY(checked("clGetEventProfilingInfo",
              clGetEventProfilingInfo(event, what, sizeof nanoseconds, &nanoseconds, nullptr)));
  return nanoseconds;
}

Result<double> seconds_between(cl_event first, cl_event last) {
  cl_int status = CL_COMPLETE;
  clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  if (status < 0) return opencl_error("a kernel", status);
  const cl_ulong start = TRY(event_time(first, CL_PROFILING_COMMAND_START));
  const cl_ulong end = TRY(event_time(last, CL_PROFILING_COMMAND_END));
  return static_cast<double>(end - start) * 1e-9;
}

}  // namespace

int64_t OpenclMemory::bytes() const { return static_cast<int64_t>(state_->bytes()); }
bool OpenclMemory::is_image() const { return state_->image; }

Result<OpenclContext> OpenclContext::open(const TargetName& name) {
  auto state = std::make_shared<State>();
  state->device = TRY(find_opencl_device(name));
  const cl_context_properties properties[] = {
      CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(state->device.platform), 0};
  const cl_device_id id = state->id();
  cl_int code = CL_SUCCESS;
  state->context.reset(clCreateContext(properties, 1, &id, nullptr, nullptr, &code));
  if (code != CL_SUCCESS) return opencl_error("clCreateContext", code, state->device.target.device);
  // OpenCL 1.2's call, which every driver has; queues are in-order by default.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  state->queue.reset(
      clCreateCommandQueue(state->context.get(), id, CL_QUEUE_PROFILING_ENABLE, &code));
#pragma GCC diagnostic pop
  TRY(checked("clCreateCommandQueue", code));
  return OpenclContext(std::move(state));
}

const Target& OpenclContext::target() const { return state_->device.target; }

Result<OpenclMemory> OpenclContext::allocate(const Layout& layout, ElementType dtype,
                                             const AllocationOptions& options) {
  auto memory = std::make_shared<OpenclMemory::State>();
  memory->dtype = dtype;
  memory->elements = storage_elements(layout);
  if (layout.scope == MemoryScope::global) {
    memory->guarded = options.guarded;
    TRY(create_buffer(state_->context.get(), state_->queue.get(), *memory));
  } else {
    const ImageShape shape = TRY(image_shape(layout));
    TRY(check_image_limits(shape, target()));
    TRY(create_image(state_->context.get(), shape, *memory));
  }
  return OpenclMemory(std::move(memory));
}

Result<void> OpenclContext::upload(const OpenclMemory& memory, const void* bytes) {
  const OpenclMemory::State& state = *memory.state_;
  if (state.image) {
    return checked("clEnqueueWriteImage",
                   clEnqueueWriteImage(state_->queue.get(), state.handle(), CL_TRUE, kOrigin,
                                       state.region.data(), 0, 0, bytes, 0, nullptr, nullptr));
  }
  return checked("clEnqueueWriteBuffer",
                 clEnqueueWriteBuffer(state_->queue.get(), state.handle(), CL_TRUE, 0,
                                      state.bytes(), bytes, 0, nullptr, nullptr));
}

Result<void> OpenclContext::download(const OpenclMemory& memory, void* bytes) {
  const OpenclMemory::State& state = *memory.state_;
  if (state.image) {
    return checked("clEnqueueReadImage",
                   clEnqueueReadImage(state_->queue.get(), state.handle(), CL_TRUE, kOrigin,
                                      state.region.data(), 0, 0, bytes, 0, nullptr, nullptr));
  }
  return checked("clEnqueueReadBuffer",
                 clEnqueueReadBuffer(state_->queue.get(), state.handle(), CL_TRUE, 0, state.bytes(),
                                     bytes, 0, nullptr, nullptr));
}

Result<bool> OpenclContext::guards_intact(const OpenclMemory& memory) {
  const OpenclMemory::State& state = *memory.state_;
  if (!state.guarded) return true;
  const size_t after = kGuardBytes + state.bytes();
  std::vector<std::byte> zone(kGuardBytes);
  for (const size_t offset : {size_t{0}, after}) {
    TRY(checked("clEnqueueReadBuffer",
                clEnqueueReadBuffer(state_->queue.get(), state.whole.get(), CL_TRUE, offset,
                                    zone.size(), zone.data(), 0, nullptr, nullptr)));
    for (size_t i = 0; i < zone.size(); ++i) {
      const auto expected = static_cast<std::byte>(kGuardWord >> (8 * ((offset + i) % 4)));
      if (zone[i] != expected) return false;
    }
  }
  return true;
}

Result<OpenclProgram> OpenclContext::build(std::string_view source) {
  auto program = std::make_shared<OpenclProgram::State>();
  const char* text = source.data();
  const size_t size = source.size();
  cl_int code = CL_SUCCESS;
  program->program.reset(clCreateProgramWithSource(state_->context.get(), 1, &text, &size, &code));
  TRY(checked("clCreateProgramWithSource", code));
  TRY(compile(program->program.get(), state_->id()));
  return OpenclProgram(std::move(program));
}

Result<OpenclProgram> OpenclContext::load(std::string_view binary) {
  auto program = std::make_shared<OpenclProgram::State>();
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  const size_t size = binary.size();
  const cl_device_id id = state_->id();
  cl_int status = CL_SUCCESS;
  cl_int code = CL_SUCCESS;
  program->program.reset(
      clCreateProgramWithBinary(state_->context.get(), 1, &id, &size, &bytes, &status, &code));
  TRY(checked("clCreateProgramWithBinary", code));
  TRY(checked("clCreateProgramWithBinary", status));
  TRY(compile(program->program.get(), id));
  return OpenclProgram(std::move(program));
}

Result<std::string> OpenclContext::binary(const OpenclProgram& program) {
  const cl_program handle = program.state_->program.get();
  size_t size = 0;  // one device, so one binary
  cl_int code = clGetProgramInfo(handle, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr);
  if (code != CL_SUCCESS) return opencl_error("clGetProgramInfo", code, "binary size");
  std::string bytes(size, '\0');
  auto* place = reinterpret_cast<unsigned char*>(bytes.data());
  code = clGetProgramInfo(handle, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr);
  if (code != CL_SUCCESS) return opencl_error("clGetProgramInfo", code, "binary");
  return bytes;
}

Result<double> OpenclContext::run(const OpenclProgram& program,
                                  std::span<const OpenclLaunch> launches, int64_t repetitions) {
  CHECK(!launches.empty() && repetitions > 0, "something to run");
  std::vector<cl_kernel> kernels;
  for (const OpenclLaunch& launch : launches)
    kernels.push_back(TRY(kernel_named(*program.state_, launch.kernel)));
  OwnedEvent first;
  OwnedEvent last;
  const size_t total = launches.size() * static_cast<size_t>(repetitions);
  for (size_t i = 0; i < total; ++i) {
    const size_t k = i % launches.size();
    // A kernel keeps its arguments, so that only a kernel launched more than once needs them set
    // again.
    if (i < launches.size() || std::ranges::count(kernels, kernels[k]) > 1)
      TRY(set_arguments(kernels[k], launches[k]));
    cl_event event = nullptr;
    const bool is_timed = i == 0 || i + 1 == total;
    TRY(enqueue(state_->queue.get(), kernels[k], launches[k], is_timed ? &event : nullptr));
    if (is_timed) (i == 0 ? first : last).reset(event);
  }
  TRY(checked("clFinish", clFinish(state_->queue.get())));
  const double seconds = TRY(seconds_between(first.get(), total > 1 ? last.get() : first.get()));
  return seconds / static_cast<double>(repetitions);
}

Result<void> OpenclContext::set_arguments(void* kernel, const OpenclLaunch& launch) {
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const cl_mem memory = launch.arguments[i]->state_->handle();
    const cl_int code = clSetKernelArg(static_cast<cl_kernel>(kernel), static_cast<cl_uint>(i),
                                       sizeof memory, &memory);
    if (code == CL_SUCCESS) continue;
    return opencl_error("clSetKernelArg", code,
                        fmt::format("kernel {}, argument {}", launch.kernel, i));
  }
  return {};
}

}  // namespace dovetail

#else  // a program that is built without OpenCL (DOVETAIL_OPENCL=OFF)

namespace dovetail {

// Never made: open() fails first.
struct OpenclMemory::State {};
struct OpenclProgram::State {};
struct OpenclContext::State {
  Target target;
};

Result<OpenclContext> OpenclContext::open(const TargetName& name) {
  return Unexpected(find_opencl_device(name).error());
}
const Target& OpenclContext::target() const { return state_->target; }

namespace {
Unexpected absent() { return fail("this program was built without OpenCL"); }
}  // namespace

int64_t OpenclMemory::bytes() const { return 0; }
bool OpenclMemory::is_image() const { return false; }
Result<OpenclMemory> OpenclContext::allocate(const Layout&, ElementType, const AllocationOptions&) {
  return absent();
}
Result<void> OpenclContext::upload(const OpenclMemory&, const void*) { return absent(); }
Result<void> OpenclContext::download(const OpenclMemory&, void*) { return absent(); }
Result<bool> OpenclContext::guards_intact(const OpenclMemory&) { return absent(); }
Result<OpenclProgram> OpenclContext::build(std::string_view) { return absent(); }
Result<OpenclProgram> OpenclContext::load(std::string_view) { return absent(); }
Result<std::string> OpenclContext::binary(const OpenclProgram&) { return absent(); }
Result<double> OpenclContext::run(const OpenclProgram&, std::span<const OpenclLaunch>, int64_t) {
  return absent();
}

}  // namespace dovetail

#endif
