// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/opencl/opencl_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "core/base/check.h"
#include "core/base/text.h"
#include "deploy/package/c_header.h"
#include "deploy/package/c_literal.h"

namespace dovetail {
namespace {

constexpr size_t kMostString = 4000;  // C99 guarantees 4095

std::set<size_t> named_buffers(const Executable& executable) {
  std::set<size_t> named;
  for (const Launch& launch : executable.code.launches)
    for (const int buffer : launch.buffers) named.insert(static_cast<size_t>(buffer));
  for (const auto* tensors : {&executable.inputs, &executable.outputs})
    for (const ExecutableTensor& tensor : *tensors) named.insert(tensor.buffer);
  return named;
}

OpenclTableMemory table_memory(const Executable& executable, const PackageInterface& interface,
                               size_t number) {
  const ExecutableBuffer& buffer = executable.buffers.at(number);
  OpenclTableMemory memory{.buffer = number,
                           .bytes = buffer.bytes(),
                           .image = buffer.image(),
                           .is_half = buffer.type == ElementType::f16};
  CHECK(buffer.image().has_value() == is_texture(buffer.scope), "a texture without its image");
  if (is_constant(executable, buffer))
    memory.constant = interface.weights.at(0).sections.at(0) + buffer.place->offset;
  return memory;
}

std::string triple(const std::array<int64_t, 3>& sizes) {
  return fmt::format("{{{}, {}, {}}}", sizes[0], sizes[1], sizes[2]);
}

// The lines of a program, grouped into strings of at most kMostString characters.
std::vector<std::vector<std::string_view>> grouped_lines(const std::string& source) {
  std::vector<std::vector<std::string_view>> groups;
  size_t held = kMostString;
  for (size_t at = 0; at < source.size();) {
    const size_t end = std::min(source.find('\n', at), source.size() - 1) + 1;
    const std::string_view line =
        std::string_view(source).substr(at, std::min(end - at, kMostString));
    if (held + line.size() > kMostString) {
      groups.emplace_back();
      held = 0;
    }
    groups.back().push_back(line);
    held += line.size();
    at += line.size();
  }
  return groups;
}

}  // namespace

OpenclTables opencl_tables(const Executable& executable, const PackageInterface& interface) {
  OpenclTables tables;
  std::map<size_t, size_t> memories;  // buffer -> memory
  for (const size_t number : named_buffers(executable)) {
    memories[number] = tables.memories.size();
    tables.memories.push_back(table_memory(executable, interface, number));
  }
  for (const Launch& launch : executable.code.launches) {
    OpenclTableLaunch& made = tables.launches.emplace_back();
    made.kernel = launch.name;
    made.global = launch.global;
    made.local = launch.local;
    for (const int buffer : launch.buffers)
      made.arguments.push_back(memories.at(static_cast<size_t>(buffer)));
  }
  for (const auto* tensors : {&executable.inputs, &executable.outputs})
    for (const ExecutableTensor& tensor : *tensors)
      tables.tensors.push_back(memories.at(tensor.buffer));
  size_t number = 0;
  for (const auto* tensors : {&interface.inputs, &interface.outputs})
    for (const InterfaceTensor& tensor : *tensors)
      CHECK(tables.memories[tables.tensors[number++]].bytes == tensor.bytes,
            "an input or output with other bytes on the device");
  return tables;
}

std::string c_memory_rows(const OpenclTables& tables, const Executable& executable) {
  std::string rows;
  for (const OpenclTableMemory& memory : tables.memories) {
    const ImageShape image = memory.image.value_or(ImageShape());
    const std::string_view kind = !memory.image    ? "CL_MEM_OBJECT_BUFFER"
                                  : image.is_array ? "CL_MEM_OBJECT_IMAGE2D_ARRAY"
                                                   : "CL_MEM_OBJECT_IMAGE2D";
    rows += fmt::format("    /* {} */\n    {{{}, {}, {{{}, {}, {}}}, {}, {}}},\n",
                        in_comment(executable.buffers.at(memory.buffer).name), memory.bytes,
                        memory.constant, image.width, image.height, image.layers, kind,
                        memory.is_half ? "CL_HALF_FLOAT" : "CL_FLOAT");
  }
  return rows;
}

std::string c_launch_rows(const OpenclTables& tables) {
  std::string rows;
  size_t first = 0;
  for (const OpenclTableLaunch& launch : tables.launches) {
    rows +=
        fmt::format("    {{\"{}\",\n     {}, {}, {}, {}}},\n", launch.kernel, triple(launch.global),
                    triple(launch.local), first, launch.arguments.size());
    first += launch.arguments.size();
  }
  return rows;
}

std::string c_argument_rows(const OpenclTables& tables) {
  std::string rows;
  for (const OpenclTableLaunch& launch : tables.launches) {
    std::vector<std::string> row;
    for (const size_t memory : launch.arguments) row.push_back(std::to_string(memory));
    rows += c_rows(row);
  }
  return rows;
}

std::string c_tensor_memories(const OpenclTables& tables) {
  std::vector<std::string> row;
  for (const size_t memory : tables.tensors) row.push_back(std::to_string(memory));
  return c_rows(row);
}

CStrings c_source_strings(const std::string& source) {
  CStrings strings;
  for (const std::vector<std::string_view>& group : grouped_lines(source)) {
    for (const std::string_view line : group) strings.text += c_string_lines(line, "    ") + "\n";
    strings.text.back() = ',';
    strings.text += "\n";
    ++strings.count;
  }
  return strings;
}

}  // namespace dovetail
