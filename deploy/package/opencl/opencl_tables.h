// SPDX-License-Identifier: Apache-2.0
#pragma once

// OpenclTables: the data of an OpenCL runtime about its network: the device's memories, which of
// them are parts of others or images, the launches and their arguments.
//
//   const OpenclTables tables = opencl_tables(executable, interface);
//   tables.memories[0]      {.bytes = 590336}                     an arena: the plan's workspace
//   tables.memories[1]      {.bytes = 69632, .constant = 64}      uploaded from the weights' file
//   tables.memories[2]      {.buffer = 0, .bytes = 4096, .whole = 0, .offset = 65536}      a part
//   tables.memories[3]      {.buffer = 7, .bytes = 8192, .image = {128, 4, 1}}     of four floats
//   tables.launches[0]      {.kernel = "pose_p0_pad", .global = {64, 1, 1}, .arguments = {2, 3}}
//   tables.tensors          {2, 9}: the memory of each input, then of each output
//
// Arenas come first, so that parts are made after them and released before. A buffer that only
// preparations of constants use has no memory. Constant images lie behind all other constants
// (deploy/network/planned_buffers.h): their bytes are no part of the arena on the device.

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
  std::optional<size_t> buffer = {};  // index in the executable; none: an arena
  int64_t bytes = 0;
  int64_t constant = 0;              // offset of an upload in the weights file; 0: there is none
  std::optional<size_t> whole = {};  // index of the arena that it is a part of
  int64_t offset = 0;                // in that arena
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
