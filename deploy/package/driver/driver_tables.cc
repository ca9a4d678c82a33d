// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/driver/driver_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/base/check.h"
#include "core/ir/program/program.h"

namespace dovetail {
namespace {

size_t base_count(const PackageInterface& interface) {
  return interface.workspaces.size() + interface.weights.size() + interface.inputs.size() +
         interface.outputs.size();
}

// The base of an arena.
size_t base_of_arena(const PackageInterface& interface, size_t arena) {
  const auto find_in = [&](const std::vector<InterfaceArena>& arenas, size_t first) {
    for (size_t i = 0; i < arenas.size(); ++i)
      if (arenas[i].arena == arena) return first + i;
    return base_count(interface);
  };
  const size_t found = find_in(interface.workspaces, 0);
  return found < base_count(interface) ? found
                                       : find_in(interface.weights, interface.workspaces.size());
}

DriverPlace place_of(const PackageInterface& interface, const ArenaPlace& place) {
  const int64_t vectors = place.offset / kBufferAlignment;
  CHECK(place.offset % kBufferAlignment == 0 && vectors <= std::numeric_limits<uint32_t>::max(),
        fmt::format("a buffer at offset {}", place.offset));
  return {.base = base_of_arena(interface, place.arena), .vectors = vectors};
}

// The place of each buffer of a variant.
std::vector<DriverPlace> places_of(const Executable& executable,
                                   const PackageInterface& interface) {
  std::vector<DriverPlace> places;
  for (const ExecutableBuffer& buffer : executable.buffers)
    places.push_back(buffer.place ? place_of(interface, *buffer.place)
                                  : DriverPlace{.base = base_count(interface)});
  size_t base = interface.workspaces.size() + interface.weights.size();
  for (const auto* tensors : {&executable.inputs, &executable.outputs})
    for (const ExecutableTensor& tensor : *tensors) places.at(tensor.buffer) = {.base = base++};
  return places;
}

std::vector<int> buffers_of(const Launch& launch, const Executable& executable) {
  if (!launch.buffers.empty()) return launch.buffers;
  std::vector<int> all(executable.buffers.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void add_launches(const Executable& executable, const PackageInterface& interface,
                  DriverCode& code) {
  const std::vector<DriverPlace> places = places_of(executable, interface);
  for (const Launch& launch : executable.code.launches) {
    const std::vector<int> buffers = buffers_of(launch, executable);
    code.launches.push_back({.kernel = launch.name,
                             .extent = launch.extent,
                             .first = code.places.size(),
                             .count = buffers.size(),
                             .is_shared = executable.target.name.threads > 1 && launch.extent > 1});
    for (const int buffer : buffers) code.places.push_back(places.at(static_cast<size_t>(buffer)));
    if (std::ranges::find(code.kernels, launch.name) == code.kernels.end())
      code.kernels.push_back(launch.name);
  }
}

Result<DriverCode> code_of(const PackageVariant& variant, size_t number,
                           const PackageInterface& interface) {
  DriverCode code;
  code.suffix = variant.label.empty() ? "" : "_" + variant.label;
  add_launches(*variant.executable, interface, code);
  for (const auto* tensors : {&variant.executable->inputs, &variant.executable->outputs})
    for (const ExecutableTensor& tensor : *tensors)
      code.homes.push_back(place_of(interface, *tensor.place));
  for (const InterfaceArena& weights : interface.weights)
    code.sections.push_back(weights.sections.at(number));
  code.features = variant.cpu_features;
  if (!code.features.empty()) code.needs = TRY(cpu_needs(code.features));
  return code;
}

}  // namespace

bool DriverTables::is_choosing() const {
  return std::ranges::any_of(codes, [](const DriverCode& code) { return code.needs.has_value(); });
}

Result<DriverTables> driver_tables(const PackageVariants& variants,
                                   const PackageInterface& interface) {
  DriverTables tables{.inputs = interface.inputs.size(),
                      .tensors = interface.inputs.size() + interface.outputs.size(),
                      .workspaces = interface.workspaces.size(),
                      .weights_files = interface.weights.size(),
                      .arenas = interface.workspaces.size() + interface.weights.size(),
                      .bases = base_count(interface),
                      .most_buffers = 1,
                      .codes = {}};
  CHECK(tables.bases < std::numeric_limits<uint16_t>::max(), "too many inputs and outputs");
  for (size_t v = 0; v < variants.size(); ++v)
    tables.codes.push_back(TRY(code_of(variants[v], v, interface)));
  for (const DriverCode& code : tables.codes)
    for (const DriverLaunch& launch : code.launches)
      tables.most_buffers = std::max(tables.most_buffers, launch.count);
  return tables;
}

}  // namespace dovetail
