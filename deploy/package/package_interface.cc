// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/package_interface.h"

#include <algorithm>
#include <set>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/base/printable.h"
#include "core/base/round_up.h"
#include "core/codegen/llvm/systems.h"
#include "deploy/package/c_names.h"
#include "deploy/package/weights_file.h"

namespace dovetail {
namespace {

Result<void> check_tensors(const Executable& executable) {
  std::set<size_t> buffers;
  for (const auto* tensors : {&executable.inputs, &executable.outputs})
    for (const ExecutableTensor& tensor : *tensors) {
      if (c_type(tensor.type).empty())
        return fail("tensor \"{}\" has elements of {}, for which C has no type",
                    printable(tensor.name), name_of(tensor.type));
      if (!buffers.insert(tensor.buffer).second)
        return fail("tensor \"{}\" is another input or output, too; expected a copy of it",
                    printable(tensor.name));
      CHECK(executable.arenas.at(tensor.place->arena).use == ArenaUse::workspace,
            "an input or output without a place in a workspace");
    }
  return {};
}

Result<void> check_executable(const Executable& executable) {
  TRY(check_package_form(executable.code.form, executable.target.name));
  if (executable.code.launches.empty()) return fail("the network has no kernel to run");
  if (executable.outputs.empty()) return fail("the network has no output");
  for (const ExecutableBuffer& buffer : executable.buffers)
    if (is_texture(buffer.scope) && !is_for_device(executable))
      return fail("buffer \"{}\" is a texture, which a cpu has not", printable(buffer.name));
  for (const Arena& arena : executable.arenas)
    CHECK(arena.alignment >= 64 && arena.alignment % 64 == 0, "an arena that kernels cannot use");
  CHECK(executable.constants.size() == executable.arenas.size(), "constants beside their arenas");
  return check_tensors(executable);
}

bool are_alike(const std::vector<ExecutableTensor>& a, const std::vector<ExecutableTensor>& b) {
  return std::ranges::equal(a, b, [](const ExecutableTensor& x, const ExecutableTensor& y) {
    return x.name == y.name && x.type == y.type && x.shape == y.shape;
  });
}

bool are_alike(const std::vector<Arena>& a, const std::vector<Arena>& b) {
  return std::ranges::equal(a, b, [](const Arena& x, const Arena& y) {
    return x.name == y.name && x.use == y.use && x.alignment == y.alignment;
  });
}

Result<void> check_variants(const PackageVariants& variants) {
  CHECK(!variants.empty(), "a package of nothing");
  const Executable& first = *variants[0].executable;
  if (is_for_device(first) && variants.size() > 1)
    return fail("{} variants; expected one, as a program for OpenCL is compiled where it runs",
                variants.size());
  for (const PackageVariant& variant : variants) {
    const Executable& other = *variant.executable;
    TRY(check_executable(other));
    if (!are_alike(first.inputs, other.inputs) || !are_alike(first.outputs, other.outputs))
      return fail("variants {} and {} have other inputs or outputs", variants[0].label,
                  variant.label);
    if (!are_alike(first.arenas, other.arenas))
      return fail("variants {} and {} have other pools", variants[0].label, variant.label);
    if (system_of(first.target) != system_of(other.target))
      return fail("variants {} and {} are for other systems: {} and {}", variants[0].label,
                  variant.label, system_of(first.target), system_of(other.target));
  }
  return {};
}

InterfaceArena arena_of(const PackageVariants& variants, size_t number) {
  const Arena& arena = variants[0].executable->arenas[number];
  InterfaceArena found{.name = arena.name, .arena = number, .alignment = arena.alignment};
  std::vector<int64_t> bytes;
  for (const PackageVariant& variant : variants)
    bytes.push_back(variant.executable->arenas[number].bytes);
  if (arena.use == ArenaUse::workspace) {
    found.bytes = *std::ranges::max_element(bytes);
    for (const PackageVariant& variant : variants)
      found.lower_bound_bytes =
          std::max(found.lower_bound_bytes, variant.executable->arenas[number].lower_bound_bytes);
    return found;
  }
  const WeightsLayout layout = weights_layout(bytes, arena.alignment);
  found.sections = layout.sections;
  found.bytes = layout.bytes;
  return found;
}

// Bytes of images between kernels, as the plan counts them (deploy/network/network_plan.h).
int64_t image_bytes(const Executable& executable, int64_t alignment) {
  int64_t bytes = 0;
  for (const size_t number : named_buffers(executable)) {
    const ExecutableBuffer& buffer = executable.buffers.at(number);
    if (is_texture(buffer.scope) && !is_constant(executable, buffer))
      bytes += round_up(buffer.bytes(), alignment);
  }
  return bytes;
}

// The plan's workspace becomes the device's memory beside weights, with the images.
void count_images(const Executable& executable, InterfaceArena& workspace) {
  const int64_t images = image_bytes(executable, workspace.alignment);
  workspace.name = "device";
  workspace.bytes += images;
  workspace.lower_bound_bytes += images;
}

// A single arena of a kind gets the kind's name, several get their pools' names.
void name_arenas(std::vector<InterfaceArena>& arenas, std::string_view kind, CNames& names) {
  for (InterfaceArena& arena : arenas) {
    arena.c_name = arenas.size() == 1 ? std::string(kind) : names.add(arena.name);
    arena.macro = in_capitals(arena.c_name);
    names.keep(arena.c_name + "_bytes");
  }
}

std::vector<InterfaceTensor> tensors_of(const std::vector<ExecutableTensor>& tensors,
                                        CNames& names) {
  std::vector<InterfaceTensor> found;
  for (const ExecutableTensor& tensor : tensors) {
    int64_t bytes = bytes_of(tensor.type);
    for (const int64_t extent : tensor.shape) bytes *= extent;
    const std::string c_name = names.add(tensor.name);
    found.push_back({.name = tensor.name,
                     .c_name = c_name,
                     .macro = in_capitals(c_name),
                     .type = tensor.type,
                     .shape = tensor.shape,
                     .bytes = bytes});
  }
  return found;
}

}  // namespace

std::string_view c_type(ElementType type) {
  switch (type) {
    case ElementType::f32: return "float";
    case ElementType::f64: return "double";
    case ElementType::f16:
    case ElementType::bf16:
    case ElementType::u16: return "uint16_t";
    case ElementType::i64: return "int64_t";
    case ElementType::i32: return "int32_t";
    case ElementType::i16: return "int16_t";
    case ElementType::i8: return "int8_t";
    case ElementType::u32: return "uint32_t";
    case ElementType::u8:
    case ElementType::boolean: return "uint8_t";
    default: return "";
  }
}

Result<void> check_package_form(CodeForm form, const TargetName& target) {
  if (form == CodeForm::objects || form == CodeForm::opencl_source) return {};
  return fail("target {} gives code as {}; a package holds machine code or OpenCL source",
              print(target), print(form));
}

bool is_for_device(const Executable& executable) {
  return executable.code.form == CodeForm::opencl_source;
}

bool is_constant(const Executable& executable, const ExecutableBuffer& buffer) {
  return buffer.place && executable.arenas.at(buffer.place->arena).use == ArenaUse::constants;
}

std::set<size_t> named_buffers(const Executable& executable) {
  std::set<size_t> named;
  for (const Launch& launch : executable.code.launches)
    named.insert(launch.buffers.begin(), launch.buffers.end());
  for (const auto* tensors : {&executable.inputs, &executable.outputs})
    for (const ExecutableTensor& tensor : *tensors) named.insert(tensor.buffer);
  return named;
}

bool has_constants_arena(const Executable& executable) {
  return std::ranges::any_of(executable.arenas,
                             [](const Arena& arena) { return arena.use == ArenaUse::constants; });
}

Executable with_constants_arena(Executable executable) {
  if (has_constants_arena(executable)) return executable;
  executable.arenas.push_back({.name = "constants", .use = ArenaUse::constants});
  executable.constants.resize(executable.arenas.size());
  return executable;
}

std::string weights_symbol(const PackageInterface& interface, const InterfaceArena& weights) {
  if (interface.weights.size() == 1) return interface.name + "_weights";
  return fmt::format("{}_{}_weights", interface.name, weights.c_name);
}

Result<PackageInterface> package_interface(const PackageVariants& variants, std::string_view name) {
  TRY(check_package_name(name));
  TRY(check_variants(variants));
  const Executable& first = *variants[0].executable;
  PackageInterface found{.name = std::string(name), .macro = in_capitals(name)};
  found.threads = first.target.name.threads;
  for (size_t i = 0; i < first.arenas.size(); ++i) {
    const bool is_workspace = first.arenas[i].use == ArenaUse::workspace;
    (is_workspace ? found.workspaces : found.weights).push_back(arena_of(variants, i));
    found.alignment = std::max(found.alignment, first.arenas[i].alignment);
  }
  CHECK(!found.workspaces.empty() && !found.weights.empty(), "a package without an arena");
  if (is_for_device(first)) {
    CHECK(found.workspaces.size() == 1 && found.weights.size() == 1, "device memory in pools");
    count_images(first, found.workspaces[0]);
  }
  const std::string_view scratch = is_for_device(first) ? "device" : "workspace";
  CNames names(name);
  names.keep("header");  // the driver uses NAME_HEADER_BYTES
  if (found.workspaces.size() == 1) names.keep(scratch);
  if (found.weights.size() == 1) names.keep("weights");
  name_arenas(found.workspaces, scratch, names);
  name_arenas(found.weights, "weights", names);
  found.inputs = tensors_of(first.inputs, names);
  found.outputs = tensors_of(first.outputs, names);
  return found;
}

}  // namespace dovetail
