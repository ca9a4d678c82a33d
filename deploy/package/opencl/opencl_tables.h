// SPDX-License-Identifier: Apache-2.0
#pragma once

// OpenclTables: the data of an OpenCL runtime about its network: the device's memories, which of
// them are constants or images, the launches and their arguments.
//
//   const OpenclTables tables = opencl_tables(executable, interface);
//   tables.memories[3]      {.bytes = 4096, .constant = 65600}    uploaded from the weights' file
//   tables.memories[4]      {.bytes = 8192, .image = {128, 4, 1}}      texels of four floats
//   tables.launches[0]      {.kernel = "pose_p0_pad", .global = {64, 1, 1}, .arguments = {0, 4}}
//   tables.tensors          {0, 9}: the memory of each input, then of each output
//
// Only a buffer that a launch or the caller uses becomes a memory; those of preparations do not.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/layout/image_shape.h"
#include "core/runtime/executable.h"
#include "deploy/package/package_interface.h"

namespace dovetail {

struct OpenclTableMemory {
  size_t buffer = 0;  // index in the executable
  int64_t bytes = 0;
  int64_t constant = 0;  // offset in the weights file; 0: not a constant
  std::optional<ImageShape> image = {};
  bool is_half = false;  // image components are f16
};

struct OpenclTableLaunch {
  std::string kernel;
  std::array<int64_t, 3> global = {1, 1, 1}, local = {1, 1, 1};
  std::vector<size_t> arguments;  // indices of memories
};

struct OpenclTables {
  std::vector<OpenclTableMemory> memories;
  std::vector<OpenclTableLaunch> launches;
  std::vector<size_t> tensors;  // memories of the inputs, then of the outputs
};

OpenclTables opencl_tables(const Executable& executable, const PackageInterface& interface);

// C initializers for the template words @memory_rows@, @launch_rows@, @argument_rows@,
// @tensor_memories@.
std::string c_memory_rows(const OpenclTables& tables, const Executable& executable);
std::string c_launch_rows(const OpenclTables& tables);
std::string c_argument_rows(const OpenclTables& tables);
std::string c_tensor_memories(const OpenclTables& tables);

// The program's text as an array of strings, each within the length that C99 guarantees.
struct CStrings {
  std::string text;  // initializers
  size_t count = 0;
};
CStrings c_source_strings(const std::string& source);

}  // namespace dovetail
