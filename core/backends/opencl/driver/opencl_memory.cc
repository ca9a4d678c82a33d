// SPDX-License-Identifier: Apache-2.0
#include "core/backends/opencl/driver/opencl_memory.h"

#include <cstring>
#include <optional>

#include "core/backends/opencl/driver/opencl_api.h"
#include "core/base/fail.h"
#include "core/ir/layout/image_shape.h"
#include "core/ir/layout/layout.h"

namespace dovetail {
namespace {

constexpr size_t kOrigin[3] = {0, 0, 0};

// The component of a texel that keeps an element's bits; none for wider elements.
std::optional<cl_channel_type> channel_of(ElementType type) {
  switch (type) {
    case ElementType::f32: return CL_FLOAT;
    case ElementType::f16: return CL_HALF_FLOAT;
    case ElementType::i32: return CL_SIGNED_INT32;
    case ElementType::u32: return CL_UNSIGNED_INT32;
    case ElementType::i16: return CL_SIGNED_INT16;
    case ElementType::u16:
    case ElementType::bf16: return CL_UNSIGNED_INT16;
    case ElementType::i8: return CL_SIGNED_INT8;
    case ElementType::u8:
    case ElementType::boolean: return CL_UNSIGNED_INT8;
    default: return std::nullopt;
  }
}

Result<void> create_image(const ImageShape& shape, cl_channel_type channel, OpenclMemory& memory) {
  memory.region = {static_cast<size_t>(shape.width), static_cast<size_t>(shape.height),
                   static_cast<size_t>(shape.layers)};
  const cl_image_format format = {CL_RGBA, channel};
  cl_image_desc description = {};
  description.image_type = shape.is_array ? CL_MEM_OBJECT_IMAGE2D_ARRAY : CL_MEM_OBJECT_IMAGE2D;
  description.image_width = memory.region[0];
  description.image_height = memory.region[1];
  description.image_array_size = shape.is_array ? memory.region[2] : 0;
  cl_int code = CL_SUCCESS;
  memory.whole.reset(clCreateImage(memory.queue->context.get(), CL_MEM_READ_WRITE, &format,
                                   &description, nullptr, &code));
  if (code == CL_SUCCESS) return {};
  return opencl_error("clCreateImage", code,
                      fmt::format("image {}x{}x{}", shape.width, shape.height, shape.layers));
}

Result<void> create_buffer(OpenclMemory& memory) {
  // Kernels may read the last elements as whole words.
  const size_t total = (static_cast<size_t>(memory.bytes) + 3) / 4 * 4;
  cl_int code = CL_SUCCESS;
  memory.whole.reset(
      clCreateBuffer(memory.queue->context.get(), CL_MEM_READ_WRITE, total, nullptr, &code));
  if (code == CL_SUCCESS) return {};
  return opencl_error("clCreateBuffer", code, fmt::format("{} bytes", total));
}

bool is_whole(const OpenclMemory& memory, int64_t first, int64_t bytes) {
  return first == 0 && bytes == memory.bytes;
}

}  // namespace

Result<void> check_opencl(std::string_view call, cl_int code) {
  if (code != CL_SUCCESS) return opencl_error(call, code);
  return {};
}

namespace {

Result<cl_ulong> event_time(cl_event event, cl_profiling_info what) {
  cl_ulong nanoseconds = 0;
  TRY(check_opencl(
      "clGetEventProfilingInfo",
      clGetEventProfilingInfo(event, what, sizeof nanoseconds, &nanoseconds, nullptr)));
  return nanoseconds;
}

}  // namespace

Result<double> opencl_seconds(cl_event first, cl_event last) {
  cl_int status = CL_COMPLETE;
  clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  if (status < 0) return opencl_error("a kernel", status);
  const cl_ulong start = TRY(event_time(first, CL_PROFILING_COMMAND_START));
  const cl_ulong end = TRY(event_time(last, CL_PROFILING_COMMAND_END));
  return static_cast<double>(end - start) * 1e-9;
}

Result<std::shared_ptr<OpenclMemory>> allocate_opencl(std::shared_ptr<OpenclQueue> queue,
                                                      const Target& target, ElementType type,
                                                      const std::vector<int64_t>& shape,
                                                      MemoryScope scope) {
  auto memory = std::make_shared<OpenclMemory>();
  memory->queue = std::move(queue);
  memory->scope = scope;
  memory->bytes = num_elements(shape) * bytes_of(type);
  if (!is_texture(scope)) {
    TRY(create_buffer(*memory));
    return memory;
  }
  const ImageShape image = TRY(image_shape(shape, scope));
  TRY(check_image_limits(image, target));
  const std::optional<cl_channel_type> channel = channel_of(type);
  if (!channel)
    return fail_by_limit("scope {} of {}: images of device {} hold components of at most 4 bytes",
                         print(scope), name_of(type), target.device);
  TRY(create_image(image, *channel, *memory));
  return memory;
}

Result<void> read_opencl(const OpenclMemory& memory, int64_t first, std::span<std::byte> bytes) {
  const cl_command_queue queue = memory.queue->queue.get();
  if (!is_texture(memory.scope))
    return check_opencl(
        "clEnqueueReadBuffer",
        clEnqueueReadBuffer(queue, memory.whole.get(), CL_TRUE, static_cast<size_t>(first),
                            bytes.size(), bytes.data(), 0, nullptr, nullptr));
  if (is_whole(memory, first, std::ssize(bytes)))
    return check_opencl(
        "clEnqueueReadImage",
        clEnqueueReadImage(queue, memory.whole.get(), CL_TRUE, kOrigin, memory.region.data(), 0, 0,
                           bytes.data(), 0, nullptr, nullptr));
  std::vector<std::byte> image(static_cast<size_t>(memory.bytes));
  TRY(read_opencl(memory, 0, image));
  std::memcpy(bytes.data(), image.data() + first, bytes.size());
  return {};
}

Result<void> write_opencl(const OpenclMemory& memory, int64_t first,
                          std::span<const std::byte> bytes) {
  const cl_command_queue queue = memory.queue->queue.get();
  if (!is_texture(memory.scope))
    return check_opencl(
        "clEnqueueWriteBuffer",
        clEnqueueWriteBuffer(queue, memory.whole.get(), CL_TRUE, static_cast<size_t>(first),
                             bytes.size(), bytes.data(), 0, nullptr, nullptr));
  if (is_whole(memory, first, std::ssize(bytes)))
    return check_opencl(
        "clEnqueueWriteImage",
        clEnqueueWriteImage(queue, memory.whole.get(), CL_TRUE, kOrigin, memory.region.data(), 0, 0,
                            bytes.data(), 0, nullptr, nullptr));
  std::vector<std::byte> image(static_cast<size_t>(memory.bytes));
  TRY(read_opencl(memory, 0, image));
  std::memcpy(image.data() + first, bytes.data(), bytes.size());
  return write_opencl(memory, 0, image);
}

Result<cl_mem> opencl_argument(const NDArray& array, const OpenclQueue& queue) {
  const auto* memory = dynamic_cast<const OpenclMemory*>(array.memory().get());
  if (memory == nullptr || memory->queue.get() != &queue)
    return fail("a kernel's buffer lies in memory of another device");
  if (!array.is_dense()) return fail("a kernel's buffer has gaps; expected dense elements");
  const int64_t first = array.byte_offset(), bytes = array.size_bytes();
  if (is_whole(*memory, first, bytes)) return memory->whole.get();
  if (is_texture(memory->scope)) return fail("a kernel takes whole images only");
  const auto known = memory->parts_by_place.find({first, bytes});
  if (known != memory->parts_by_place.end()) return known->second;
  const cl_buffer_region region = {static_cast<size_t>(first), static_cast<size_t>(bytes)};
  cl_int code = CL_SUCCESS;
  OwnedMemory part(clCreateSubBuffer(memory->whole.get(), CL_MEM_READ_WRITE,
                                     CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  if (code != CL_SUCCESS)
    return opencl_error("clCreateSubBuffer", code, fmt::format("{} bytes at {}", bytes, first));
  memory->parts.push_back(std::move(part));
  return memory->parts_by_place[{first, bytes}] = memory->parts.back().get();
}

}  // namespace dovetail
