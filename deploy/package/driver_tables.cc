// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/driver_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>

#include "core/base/check.h"
#include "deploy/package/c_header.h"
#include "deploy/package/c_literal.h"
#include "deploy/package/cpu_check.h"

namespace dovetail {
namespace {

size_t base_count(const PackageInterface& interface) {
  return interface.workspaces.size() + interface.weights.size() + interface.inputs.size() +
         interface.outputs.size();
}

// The number of an arena among the bases.
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

std::string print_place(size_t base, int64_t offset) {
  return fmt::format("{{{}, {}}}", base, offset);
}

std::string print_place(const PackageInterface& interface, const ArenaPlace& place) {
  return print_place(base_of_arena(interface, place.arena), place.offset);
}

// Of each buffer of a variant, its place as C writes it.
std::vector<std::string> places_of(const Executable& executable,
                                   const PackageInterface& interface) {
  std::vector<std::string> places;
  for (const ExecutableBuffer& buffer : executable.buffers)
    places.push_back(buffer.place ? print_place(interface, *buffer.place)
                                  : print_place(base_count(interface), 0));
  size_t base = interface.workspaces.size() + interface.weights.size();
  for (const auto* tensors : {&executable.inputs, &executable.outputs})
    for (const ExecutableTensor& tensor : *tensors)
      places.at(tensor.buffer) = print_place(base++, 0);
  return places;
}

std::vector<int> buffers_of(const ArtifactKernel& launch, const Executable& executable) {
  if (!launch.buffers.empty()) return launch.buffers;
  std::vector<int> all(executable.buffers.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::string suffix_of(const PackageVariant& variant) {
  return variant.label.empty() ? "" : "_" + variant.label;
}

std::string print_kernels(const PackageVariant& variant) {
  std::string text;
  std::set<std::string> declared;
  for (const ArtifactKernel& launch : variant.executable->launches)
    if (declared.insert(launch.name).second)
      text += fmt::format("extern void {}(void* const* tables, int64_t first, int64_t last);\n",
                          launch.name);
  return text + "\n";
}

std::string print_launches(const PackageVariant& variant, const PackageInterface& interface) {
  const Executable& executable = *variant.executable;
  const std::vector<std::string> places = places_of(executable, interface);
  std::string rows, launches;
  size_t first = 0;
  for (const ArtifactKernel& launch : executable.launches) {
    std::vector<std::string> row;
    for (const int buffer : buffers_of(launch, executable))
      row.push_back(places.at(static_cast<size_t>(buffer)));
    rows += c_rows(row);
    launches +=
        fmt::format("    {{{}, {}, {}, {}}},\n", launch.name, launch.extent, first, row.size());
    first += row.size();
  }
  const std::string suffix = suffix_of(variant);
  return fmt::format(
      "/* One line, or more, for each launch. */\n"
      "static const {0}_place {0}_places{1}[] = {{\n{2}}};\n\n"
      "static const {0}_launch {0}_launches{1}[] = {{\n{3}}};\n\n",
      interface.name, suffix, rows, launches);
}

std::string print_homes(const PackageVariant& variant, const PackageInterface& interface) {
  std::vector<std::string> homes, sections;
  for (const auto* tensors : {&variant.executable->inputs, &variant.executable->outputs})
    for (const ExecutableTensor& tensor : *tensors)
      homes.push_back(print_place(interface, *tensor.place));
  return fmt::format("static const {0}_place {0}_homes{1}[] = {{\n{2}}};\n\n", interface.name,
                     suffix_of(variant), c_rows(homes));
}

std::string print_sections(const PackageVariant& variant, size_t number,
                           const PackageInterface& interface) {
  std::vector<std::string> sections;
  for (const InterfaceArena& weights : interface.weights)
    sections.push_back(std::to_string(weights.sections.at(number)));
  return fmt::format("static const size_t {}_sections{}[] = {{{}}};\n\n", interface.name,
                     suffix_of(variant), fmt::join(sections, ", "));
}

std::string print_needs(const PackageVariant& variant, const PackageInterface& interface,
                        const CpuNeeds& needs) {
  std::string rows;
  for (const CpuQuestion& question : needs.questions)
    rows += fmt::format("    {{0x{:x}u, {}, {}, 0x{:08x}u}},\n", question.leaf, question.subleaf,
                        question.answer, question.mask);
  if (rows.empty()) rows = "    {0, 0, 0, 0}, /* nothing */\n";
  return fmt::format("/* {} */\nstatic const {}_need {}_needs{}[] = {{\n{}}};\n\n",
                     fmt::join(variant.cpu_features, ", "), interface.name, interface.name,
                     suffix_of(variant), rows);
}

std::string print_code(const PackageVariant& variant, const PackageInterface& interface) {
  const std::string suffix = suffix_of(variant);
  return fmt::format("{0}_launches{1}, {2}, {0}_places{1}, {0}_homes{1}, {0}_sections{1}",
                     interface.name, suffix, variant.executable->launches.size());
}

std::string print_bases(const PackageInterface& interface) {
  std::vector<std::string> names;
  for (const auto* arenas : {&interface.workspaces, &interface.weights})
    for (const InterfaceArena& arena : *arenas) names.push_back(arena.c_name);
  for (const auto* tensors : {&interface.inputs, &interface.outputs})
    for (const InterfaceTensor& tensor : *tensors) names.push_back(tensor.c_name);
  std::string text = "/* Bases:";
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string item = fmt::format(" {} {}{}", i, names[i], i + 1 < names.size() ? "," : "");
    if (text.size() - text.rfind('\n') + item.size() > 96) text += "\n *";
    text += item;
  }
  return text + ". */\n";
}

std::string print_header(const std::string& header) {
  std::string rows = "    {";
  for (size_t i = 0; i < header.size(); ++i) {
    if (i > 0) rows += i % 16 == 0 ? ",\n     " : ", ";
    rows += i < 8 ? fmt::format("'{}'", header[i])
                  : fmt::format("0x{:02x}", static_cast<uint8_t>(header[i]));
  }
  return rows + "},\n";
}

size_t most_buffers(const PackageVariants& variants) {
  size_t most = 1;
  for (const PackageVariant& variant : variants)
    for (const ArtifactKernel& launch : variant.executable->launches)
      most = std::max(most, buffers_of(launch, *variant.executable).size());
  return most;
}

std::string size_rows(const PackageInterface& interface,
                      const std::vector<const std::vector<InterfaceTensor>*>& lists) {
  std::vector<std::string> rows;
  for (const auto* tensors : lists)
    for (const InterfaceTensor& tensor : *tensors)
      rows.push_back(fmt::format("{}_{}_BYTES", interface.macro, tensor.macro));
  return "\n" + c_rows(rows);
}

}  // namespace

void add_table_words(TextWords& words, const PackageVariants& variants,
                     const PackageInterface& interface,
                     const std::vector<std::string>& weights_headers) {
  const size_t arenas = interface.workspaces.size() + interface.weights.size();
  const size_t bases = base_count(interface);
  CHECK(bases < std::numeric_limits<uint16_t>::max(), "too many inputs and outputs");
  words["inputs"] = std::to_string(interface.inputs.size());
  words["tensors"] = std::to_string(bases - arenas);
  words["workspaces"] = std::to_string(interface.workspaces.size());
  words["weights_files"] = std::to_string(interface.weights.size());
  words["arenas"] = std::to_string(arenas);
  words["bases"] = std::to_string(bases);
  words["most_buffers"] = std::to_string(most_buffers(variants));
  int64_t largest = 0;
  std::vector<std::string> rows;
  for (const auto* list : {&interface.workspaces, &interface.weights})
    for (const InterfaceArena& arena : *list) {
      largest = std::max(largest, arena.bytes);
      rows.push_back(
          fmt::format("{{{}_{}_BYTES, {}}}", interface.macro, arena.macro, arena.alignment));
    }
  words["offset_type"] = largest > std::numeric_limits<uint32_t>::max() ? "uint64_t" : "uint32_t";
  words["arena_rows"] = "\n" + c_rows(rows);
  words["tensor_bytes"] = size_rows(interface, {&interface.inputs, &interface.outputs});
  words["headers"] = "";
  for (const std::string& header : weights_headers) words["headers"] += print_header(header);
}

Result<std::string> driver_tables(const PackageVariants& variants,
                                  const PackageInterface& interface, bool is_choosing) {
  std::string text =
      "/* ---- The network "
      "-------------------------------------------------------------------------- "
      "*/\n\n";
  std::string codes;
  text += print_bases(interface) + "\n";
  for (size_t v = 0; v < variants.size(); ++v) {
    const PackageVariant& variant = variants[v];
    text += print_kernels(variant) + print_launches(variant, interface) +
            print_homes(variant, interface) + print_sections(variant, v, interface);
    std::string needed;
    if (is_choosing) {
      const CpuNeeds needs = TRY(cpu_needs(variant.cpu_features));
      text += print_needs(variant, interface, needs);
      needed = fmt::format(", {}_needs{}, {}, 0x{:x}u", interface.name, suffix_of(variant),
                           needs.questions.size(), needs.xcr0);
    }
    codes += fmt::format("    {{{}{}}},\n", print_code(variant, interface), needed);
  }
  const std::string order = variants.size() > 1 ? "/* Best first. */\n" : "";
  return text + fmt::format("{1}static const {0}_code {0}_codes[] = {{\n{2}}};\n\n", interface.name,
                            order, codes);
}

}  // namespace dovetail
