// SPDX-License-Identifier: Apache-2.0
#pragma once

// PackageInterface: a compiled network as a C program sees it: names, types and sizes.
//
//   package_interface(pose, "pose")
//     inputs      "image"       image        const float*    POSE_IMAGE_BYTES       602112
//     outputs     "heatmaps:0"  heatmaps_0   float*          POSE_HEATMAPS_0_BYTES  213248
//     workspaces  "workspace"   workspace    POSE_WORKSPACE_BYTES                   6021120
//     weights     "constants"   weights      POSE_WEIGHTS_BYTES                     14254080
//
// Several pools have their own names, a single one the name above. The header, the driver, the
// weights files, metadata and the examples are all written from this one value, so that their names
// agree.
//
// Code for OpenCL takes no workspace: it lies in the device's memory. `workspaces` then has one
// entry, "device", with the bytes of the plan's workspace and of its images.
//
// Each instruction set is a variant: the same network, compiled once more. Variants share the
// interface: a workspace fits the largest of them, and a weights file has the constants of all.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"
#include "core/ir/value/element_type.h"
#include "core/runtime/executable.h"

namespace dovetail {

struct PackageVariant {
  const Executable* executable = nullptr;  // owned by the caller
  std::string label;  // "v4", in names of the driver's tables; "" for a single variant
  // Required CPU features, in LLVM's names: `avx512f`, `fma` (cpu_check.h).
  std::vector<std::string> cpu_features;
  // Features that the CPU's name does not promise: LLVM may call a CPU by an older one's name.
  std::vector<std::string> unnamed_features = {};
};
using PackageVariants = std::vector<PackageVariant>;  // best first

struct InterfaceTensor {
  std::string name;    // as the model has it
  std::string c_name;  // a member of NAME_inputs or NAME_outputs
  std::string macro;   // IMAGE of POSE_IMAGE_BYTES
  ElementType type = ElementType::f32;
  std::vector<int64_t> shape;
  int64_t bytes = 0;
};

struct InterfaceArena {
  std::string name;         // the arena's
  std::string c_name = {};  // "workspace", "weights", or a pool's
  std::string macro = {};
  size_t arena = 0;  // index in each variant's executable
  int64_t alignment = 64;
  int64_t bytes = 0;              // for weights, the whole file
  int64_t lower_bound_bytes = 0;  // workspaces only: no plan needs less
  // For weights, the offset of each variant's constants in the file.
  std::vector<int64_t> sections = {};
};

struct PackageInterface {
  std::string name;   // pose
  std::string macro;  // POSE
  std::vector<InterfaceTensor> inputs = {}, outputs = {};
  std::vector<InterfaceArena> workspaces = {}, weights = {};  // at least one of each
  int64_t alignment = 64;                                     // the largest of all arenas
  int threads = 1;                                            // number that the code was tuned for
};

// Fails for an invalid package name, CPU code with textures, an element type without a C type, or
// variants that differ in more than code.
Result<PackageInterface> package_interface(const PackageVariants& variants, std::string_view name);

// float, uint16_t for f16, uint8_t for booleans; "" for a type that C lacks.
std::string_view c_type(ElementType type);

// Fails for code that no package holds.
Result<void> check_package_form(CodeForm form, const TargetName& target);
// True for OpenCL, false for any CPU.
bool is_for_device(const Executable& executable);
bool is_constant(const Executable& executable, const ExecutableBuffer& buffer);
// Buffers that a launch or the caller names: all but those of preparations.
std::set<size_t> named_buffers(const Executable& executable);

// A package always has weights: an executable without constants gets an empty arena for them.
Executable with_constants_arena(Executable executable);
bool has_constants_arena(const Executable& executable);

// Symbol of embedded weights: NAME_weights, or NAME_flash_weights for a pool `flash`.
std::string weights_symbol(const PackageInterface& interface, const InterfaceArena& weights);

}  // namespace dovetail
