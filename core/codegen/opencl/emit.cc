// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/opencl/emit.h"

#include <algorithm>
#include <utility>

#include "core/base/fail.h"
#include "core/codegen/opencl/kernel_writer.h"
#include "core/codegen/work_groups/geometry.h"
#include "core/ir/program/walk.h"

namespace dovetail {
namespace {

using namespace opencl;

Result<BufferView> view_of(const Buffer& buffer, const Use& use, const Target& target) {
  BufferView view;
  view.buffer = &buffer;
  view.extents = physical_extents(buffer.layout);
  view.is_read = use.read;
  view.is_written = use.written;
  const auto refuse = [&](const std::string& what) {
    return fail("buffer {}: {}", buffer.name, what);
  };
  if (buffer.dtype == ElementType::f64 && !target.has_fp64)
    return fail_by_limit(
        "buffer {}: the device has no f64 (cl_khr_fp64), expected another type or device",
        buffer.name);
  const MemoryScope scope = buffer.layout.scope;
  if (scope == MemoryScope::global) return view;
  view.is_image = true;
  if (buffer.dtype != ElementType::f32 && buffer.dtype != ElementType::f16)
    return refuse(
        fmt::format("{} cannot lie in an image, expected f32 or f16", name_of(buffer.dtype)));
  const Result<ImageShape> shape = image_shape(buffer.layout);
  if (!shape) return refuse(shape.error().message);
  const Result<void> fits = check_image_limits(*shape, target);
  if (!fits) return fail_in("buffer " + buffer.name, fits.error());
  view.image = *shape;
  return view;
}

std::string argument_text(const BufferView& view) {
  if (view.is_image) {
    return fmt::format("{} {} {}", view.is_written ? "__write_only" : "__read_only",
                       view.image.is_array ? "image2d_array_t" : "image2d_t", view.name);
  }
  return fmt::format("__global {}{}* restrict {}", view.is_written ? "" : "const ",
                     element_text(view.buffer->dtype), view.name);
}

// The arguments of a kernel, in the order of Program::buffers.
struct Arguments {
  BufferViews views;
  std::string text;
  bool wide_indices = false;  // an index may exceed an int
};

Result<Arguments> arguments_of(const Program& program, const Kernel& kernel,
                               const std::vector<int>& buffers, const Target& target,
                               Identifiers& identifiers) {
  const Uses uses = uses_of(kernel.body);
  Arguments arguments;
  for (const int number : buffers) {
    const Buffer& buffer = program.buffers[static_cast<size_t>(number)];
    BufferView view = TRY(view_of(buffer, uses.at(buffer.name), target));
    if (view.is_image && view.is_read && view.is_written) {
      return fail(
          "kernel {}: image {} is both read and written; OpenCL C 1.2 allows "
          "one of the two in a kernel",
          kernel.name, buffer.name);
    }
    view.name = identifiers.unique(buffer.name);
    arguments.text += (arguments.text.empty() ? "" : ",\n    ") + argument_text(view);
    arguments.wide_indices = arguments.wide_indices || storage_elements(buffer.layout) > INT32_MAX;
    arguments.views.emplace(buffer.name, std::move(view));
  }
  return arguments;
}

// A kernel's text, without the prelude, and its launch.
struct EmittedKernel {
  std::string text;
  Launch launch;
};

Result<EmittedKernel> emit_kernel(const Program& program, const Kernel& kernel,
                                  const std::string& name, const Target& target) {
  const Geometry geometry = TRY(geometry_of(kernel, target));
  Identifiers identifiers;
  static_cast<void>(identifiers.unique(name));
  Launch launch = launch_of(name, program, kernel, geometry);
  const Arguments arguments =
      TRY(arguments_of(program, kernel, launch.buffers, target, identifiers));
  KernelWriter writer(kernel, geometry, arguments.views, identifiers, arguments.wide_indices);
  const std::string body = TRY(writer.write());
  if (writer.local_bytes() > target.local_memory_bytes) {
    return fail("kernel {}: local tiles have {} bytes, device {} has {}", kernel.name,
                writer.local_bytes(), target.device, target.local_memory_bytes);
  }

  std::string text = fmt::format(
      "// {} x {} x {} groups\n"
      "__kernel __attribute__((reqd_work_group_size({}, {}, {})))\n"
      "void {}(\n    {}) {{\n{}}}\n",
      geometry.groups[0], geometry.groups[1], geometry.groups[2], launch.local[0], launch.local[1],
      launch.local[2], name, arguments.text, body);
  return EmittedKernel{.text = std::move(text), .launch = std::move(launch)};
}

Result<std::vector<EmittedKernel>> emit_kernels(const Program& program, const Target& target,
                                                std::string_view prefix) {
  if (!runs_work_groups(target)) return fail("target {} is no OpenCL device", print(target.name));
  std::vector<EmittedKernel> kernels;
  Identifiers names;
  // The prefix avoids clashes with built-in functions, such as `all`.
  for (const Kernel& kernel : program.kernels) {
    const std::string name = names.unique(std::string(prefix) + kernel.name);
    kernels.push_back(TRY(emit_kernel(program, kernel, name, target)));
  }
  return kernels;
}

std::string with_prelude(const std::string& text) { return prelude_for(text) + text; }

}  // namespace

Result<OpenclSource> emit_opencl(const Program& program, const Target& target) {
  OpenclSource source;
  for (EmittedKernel& kernel : TRY(emit_kernels(program, target, "kernel_"))) {
    source.text += (source.text.empty() ? "" : "\n") + kernel.text;
    source.launches.push_back(std::move(kernel.launch));
  }
  source.text = with_prelude(source.text);
  return source;
}

Result<OpenclSources> emit_opencl(std::span<const Program> programs, const Target& target,
                                  std::string_view prefix, KernelTexts texts) {
  OpenclSources all;
  std::string together;
  for (size_t p = 0; p < programs.size(); ++p) {
    std::vector<Launch>& launches = all.launches.emplace_back();
    for (EmittedKernel& kernel :
         TRY(emit_kernels(programs[p], target, fmt::format("{}{}_", prefix, p)))) {
      if (texts == KernelTexts::apart)
        all.texts.push_back(with_prelude(kernel.text));
      else
        together += (together.empty() ? "" : "\n") + kernel.text;
      launches.push_back(std::move(kernel.launch));
    }
  }
  if (texts == KernelTexts::together) all.texts = {with_prelude(together)};
  return all;
}

}  // namespace dovetail
