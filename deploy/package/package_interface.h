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
// Where there are several pools each has its own name, and else the two words above. The header,
// the driver, the weights' files, metadata and the examples are all written from this one value, so
// that none of them invents a name.
//
// Code for OpenCL has no workspace of the caller's: its buffers are the device's, one object each.
// The one entry of `workspaces` is then called "device", and holds the sum of their bytes.
//
// Several instruction sets are several variants: one network, compiled more than once. They share
// the interface: a workspace holds the largest of them, and a file of weights holds all of theirs.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/value/element_type.h"
#include "core/runtime/executable.h"

namespace dovetail {

struct PackageVariant {
  const Executable* executable = nullptr;  // whoever makes the variant keeps it
  std::string label;                       // "v4", in names of the driver's tables; one alone: ""
  // The processor must have them: `avx512f`, `fma`, as LLVM names them (cpu_check.h).
  std::vector<std::string> cpu_features;
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
  size_t arena = 0;  // its number in each variant's executable
  int64_t alignment = 64;
  int64_t bytes = 0;  // of weights: of the whole file
  // Of weights: where each variant's constants begin in the file.
  std::vector<int64_t> sections = {};
};

struct PackageInterface {
  std::string name;   // pose
  std::string macro;  // POSE
  std::vector<InterfaceTensor> inputs = {}, outputs = {};
  std::vector<InterfaceArena> workspaces = {}, weights = {};  // at least one of each
  int64_t alignment = 64;                                     // the largest of all arenas
  int threads = 1;                                            // that the code was tuned for
};

// An error where the name will not do, where a CPU's code has textures, where C has no type for a
// tensor's elements, or where variants differ in more than code.
Result<PackageInterface> package_interface(const PackageVariants& variants, std::string_view name);

// float, uint16_t for f16, uint8_t for booleans; "" for what C has no type for.
std::string_view c_type(ElementType type);

// Not for this or another CPU, but for OpenCL.
bool is_for_device(const Executable& executable);
bool is_constant(const Executable& executable, const ExecutableBuffer& buffer);

// A package always has weights: an executable without constants gets an empty arena for them.
Executable with_constants_arena(Executable executable);
bool has_constants_arena(const Executable& executable);

// NAME_weights, or NAME_flash_weights of a pool: the object, where weights are embedded.
std::string weights_symbol(const PackageInterface& interface, const InterfaceArena& weights);

}  // namespace dovetail
