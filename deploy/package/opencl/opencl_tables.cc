// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/opencl/opencl_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/base/round_up.h"
#include "core/base/text.h"
#include "deploy/package/c_header.h"
#include "deploy/package/c_literal.h"

namespace dovetail {
namespace {

constexpr size_t kMostString = 4000;  // C99 guarantees 4095

// By buffer, for those that are named; inputs and outputs lie in the workspace, too.
using NamedPlaces = std::map<size_t, std::optional<ArenaPlace>>;

NamedPlaces named_places(const Executable& executable) {
  NamedPlaces places;
  for (const size_t number : named_buffers(executable))
    places[number] = executable.buffers.at(number).place;
  for (const auto* tensors : {&executable.inputs, &executable.outputs})
    for (const ExecutableTensor& tensor : *tensors) places[tensor.buffer] = tensor.place;
  return places;
}

// Offset of a constant in the weights file.
int64_t offset_in_file(const PackageInterface& interface, int64_t offset) {
  return interface.weights.at(0).sections.at(0) + offset;
}

// Adds the arenas that hold buffers, as far as these reach; returns their indices.
std::map<size_t, size_t> add_arenas(const Executable& executable, const PackageInterface& interface,
                                    const NamedPlaces& places, OpenclTables& tables) {
  std::map<size_t, int64_t> ends;
  for (const auto& [number, place] : places) {
    const ExecutableBuffer& buffer = executable.buffers[number];
    if (is_texture(buffer.scope)) continue;
    CHECK(place.has_value(), "a buffer without a place");
    const int64_t alignment = executable.arenas.at(place->arena).alignment;
    int64_t& end = ends[place->arena];
    end = std::max(end, round_up(place->offset + buffer.bytes(), alignment));
  }
  std::map<size_t, size_t> memories;
  for (const auto& [arena, end] : ends) {
    CHECK(end <= executable.arenas[arena].bytes, "a buffer beyond its arena");
    memories[arena] = tables.memories.size();
    const bool is_uploaded = executable.arenas[arena].use == ArenaUse::constants;
    tables.memories.push_back(
        {.bytes = end, .constant = is_uploaded ? offset_in_file(interface, 0) : 0});
  }
  return memories;
}

OpenclTableMemory table_memory(const Executable& executable, const PackageInterface& interface,
                               size_t number) {
  const ExecutableBuffer& buffer = executable.buffers.at(number);
  OpenclTableMemory memory{.buffer = number,
                           .bytes = buffer.bytes(),
                           .image = buffer.image(),
                           .is_half = buffer.type == ElementType::f16};
  CHECK(buffer.image().has_value() == is_texture(buffer.scope), "a texture without its image");
  if (memory.image && is_constant(executable, buffer))
    memory.constant = offset_in_file(interface, buffer.place->offset);
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
  const NamedPlaces places = named_places(executable);
  const std::map<size_t, size_t> arenas = add_arenas(executable, interface, places, tables);
  std::map<size_t, size_t> memories;  // buffer -> memory
  for (const auto& [number, place] : places) {
    memories[number] = tables.memories.size();
    OpenclTableMemory memory = table_memory(executable, interface, number);
    if (!memory.image) {
      memory.whole = arenas.at(place->arena);
      memory.offset = place->offset;
    }
    tables.memories.push_back(std::move(memory));
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
    const std::string name =
        memory.buffer ? in_comment(executable.buffers.at(*memory.buffer).name) : "an arena";
    rows += fmt::format("    /* {} */\n    {{{}, {}, {}, {}, {{{}, {}, {}}}, {}, {}}},\n", name,
                        memory.bytes, memory.whole ? std::to_string(*memory.whole) : "-1",
                        memory.offset, memory.constant, image.width, image.height, image.layers,
                        kind, memory.is_half ? "CL_HALF_FLOAT" : "CL_FLOAT");
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
