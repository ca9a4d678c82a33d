// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/opencl/emit.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/codegen/opencl/geometry.h"
#include "core/codegen/opencl/kernel_writer.h"
#include "core/ir/program/uses.h"

namespace dovetail {
namespace {

using namespace opencl;

Result<BufferView> view_of(const Buffer& buffer, const Use& use, const Target& target) {
  BufferView view;
  view.buffer = &buffer;
  view.extents = physical_extents(buffer.layout);
  view.is_read = use.read;
  view.is_written = use.written;
  const MemoryScope scope = buffer.layout.scope;
  if (scope == MemoryScope::global) return view;
  view.is_image = true;
  if (computed_type(buffer.dtype) != ComputedType::real)
    return fail(fmt::format("buffer {}: {} cannot lie in an image, expected f32 or f16",
                            buffer.name, name_of(buffer.dtype)));
  const Result<ImageShape> shape = image_shape(buffer.layout);
  if (!shape) return fail(fmt::format("buffer {}: {}", buffer.name, shape.error().message));
  const Result<void> fits = check_image_limits(*shape, target);
  if (!fits) return fail(fmt::format("buffer {}: {}", buffer.name, fits.error().message));
  view.image = *shape;
  return view;
}

const char* element_text(ElementType type) {
  switch (type) {
    case ElementType::f32:
      return "float";
    case ElementType::f16:
      return "half";
    case ElementType::i64:
      return "long";
    case ElementType::i32:
      return "int";
    case ElementType::i8:
      return "char";
    default:
      return "uchar";
  }
}

std::string argument_text(const BufferView& view) {
  if (view.is_image) {
    return fmt::format("{} {} {}", view.is_written ? "__write_only" : "__read_only",
                       view.image.is_array ? "image2d_array_t" : "image2d_t", view.name);
  }
  return fmt::format("__global {}{}* restrict {}", view.is_written ? "" : "const ",
                     element_text(view.buffer->dtype), view.name);
}

// Arguments of a kernel, in the order of Program::buffers.
struct Arguments {
  BufferViews views;
  std::vector<int> buffers;
  std::string text;
  bool wide_indices = false;  // some buffer has more elements than an int counts
};

Result<Arguments> arguments_of(const Program& program, const Kernel& kernel, const Target& target,
                               Identifiers& identifiers) {
  const Uses uses = uses_of(kernel);
  Arguments arguments;
  for (size_t i = 0; i < program.buffers.size(); ++i) {
    const Buffer& buffer = program.buffers[i];
    const auto use = uses.find(buffer.name);
    if (use == uses.end()) continue;
    BufferView view = TRY(view_of(buffer, use->second, target));
    if (view.is_image && view.is_read && view.is_written) {
      return fail(
          fmt::format("kernel {}: image {} is both read and written; OpenCL C 1.2 allows "
                      "one of the two in a kernel",
                      kernel.name, buffer.name));
    }
    view.name = identifiers.unique(buffer.name);
    arguments.text += (arguments.buffers.empty() ? "" : ",\n    ") + argument_text(view);
    arguments.wide_indices = arguments.wide_indices || storage_elements(buffer.layout) > INT32_MAX;
    arguments.buffers.push_back(static_cast<int>(i));
    arguments.views.emplace(buffer.name, std::move(view));
  }
  return arguments;
}

struct EmittedKernel {
  std::string text;
  KernelLaunch launch;
};

Result<EmittedKernel> emit_kernel(const Program& program, const Kernel& kernel,
                                  const std::string& name, const Target& target) {
  const Geometry geometry = TRY(geometry_of(kernel, target));
  Identifiers identifiers;
  static_cast<void>(identifiers.unique(name));
  const Arguments arguments = TRY(arguments_of(program, kernel, target, identifiers));
  KernelWriter writer(kernel, geometry, arguments.views, identifiers, arguments.wide_indices);
  const std::string body = TRY(writer.write());
  if (writer.local_bytes() > target.local_memory_bytes) {
    return fail(fmt::format("kernel {}: local tiles have {} bytes, device {} has {}", kernel.name,
                            writer.local_bytes(), target.device, target.local_memory_bytes));
  }

  EmittedKernel emitted;
  KernelLaunch& launch = emitted.launch;
  launch.name = name;
  launch.buffers = arguments.buffers;
  launch.local = geometry.threads;
  for (size_t i = 0; i < 3; ++i) launch.global[i] = geometry.groups[i] * geometry.threads[i];
  emitted.text = fmt::format(
      "// {} x {} x {} groups\n"
      "__kernel __attribute__((reqd_work_group_size({}, {}, {})))\n"
      "void {}(\n    {}) {{\n{}}}\n",
      geometry.groups[0], geometry.groups[1], geometry.groups[2], launch.local[0], launch.local[1],
      launch.local[2], name, arguments.text, body);
  return emitted;
}

}  // namespace

Result<OpenclSource> emit_opencl(const Program& program, const Target& target,
                                 std::string_view prefix) {
  if (target.name.kind != TargetKind::opencl) {
    return fail(fmt::format("target {} is no OpenCL device", print(target.name)));
  }
  OpenclSource source;
  Identifiers names;
  std::string kernels;
  // A kernel's own name may be that of a built-in function, such as `all`.
  for (const Kernel& kernel : program.kernels) {
    EmittedKernel emitted =
        TRY(emit_kernel(program, kernel, names.unique(std::string(prefix) + kernel.name), target));
    kernels += (kernels.empty() ? "" : "\n") + emitted.text;
    source.launches.push_back(std::move(emitted.launch));
  }
  source.text = prelude_for(kernels) + kernels;
  return source;
}

}  // namespace dovetail
