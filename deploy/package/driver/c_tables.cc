// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/driver/c_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <span>

#include "deploy/package/c_literal.h"

namespace dovetail {
namespace {

std::string print(const DriverPlace& place) {
  return fmt::format("{{{}, {}}}", place.base, place.vectors);
}

std::string print_rows(std::span<const DriverPlace> places) {
  std::vector<std::string> row;
  for (const DriverPlace& place : places) row.push_back(print(place));
  return c_rows(row);
}

std::string print_kernels(const DriverCode& code) {
  std::string text;
  for (const std::string& kernel : code.kernels)
    text +=
        fmt::format("extern void {}(void* const* tables, int64_t first, int64_t last);\n", kernel);
  return text + "\n";
}

std::string print_launches(const DriverCode& code, const std::string& name) {
  std::string rows, launches;
  for (const DriverLaunch& launch : code.launches) {
    rows += print_rows(std::span(code.places).subspan(launch.first, launch.count));
    launches += fmt::format("    {{{}, {}, {}, {}, {}}},\n", launch.kernel, launch.extent,
                            launch.first, launch.count, launch.is_shared ? 1 : 0);
  }
  return fmt::format(
      "/* One line, or more, for each launch. */\n"
      "static const {0}_place {0}_places{1}[] = {{\n{2}}};\n\n"
      "static const {0}_launch {0}_launches{1}[] = {{\n{3}}};\n\n",
      name, code.suffix, rows, launches);
}

std::string print_homes(const DriverCode& code, const std::string& name) {
  return fmt::format(
      "static const {0}_place {0}_homes{1}[] = {{\n{2}}};\n\n"
      "static const size_t {0}_sections{1}[] = {{{3}}};\n\n",
      name, code.suffix, print_rows(code.homes), fmt::join(code.sections, ", "));
}

std::string print_needs(const DriverCode& code, const std::string& name) {
  if (!code.needs) return "";
  std::string rows;
  for (const CpuQuestion& question : code.needs->questions)
    rows += fmt::format("    {{0x{:x}u, {}, {}, 0x{:08x}u}},\n", question.leaf, question.subleaf,
                        question.answer, question.mask);
  if (rows.empty()) rows = "    {0, 0, 0, 0}, /* nothing */\n";
  return fmt::format("/* {} */\nstatic const {}_need {}_needs{}[] = {{\n{}}};\n\n",
                     fmt::join(code.features, ", "), name, name, code.suffix, rows);
}

std::string print_code(const DriverCode& code, const std::string& name) {
  const std::string needs = code.needs ? fmt::format("{}_needs{}, {}, 0x{:x}u", name, code.suffix,
                                                     code.needs->questions.size(), code.needs->xcr0)
                                       : "NULL, 0, 0";
  return fmt::format(
      "    {{{0}_launches{1}, {2}, {0}_places{1}, {0}_homes{1}, {0}_sections{1}, {3}}},\n", name,
      code.suffix, code.launches.size(), needs);
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

std::string size_rows(const PackageInterface& interface,
                      const std::vector<const std::vector<InterfaceTensor>*>& lists) {
  std::vector<std::string> rows;
  for (const auto* tensors : lists)
    for (const InterfaceTensor& tensor : *tensors)
      rows.push_back(fmt::format("{}_{}_BYTES", interface.macro, tensor.macro));
  return "\n" + c_rows(rows);
}

}  // namespace

std::string weights_header_row(const std::string& header) {
  std::string rows = "    {";
  for (size_t i = 0; i < header.size(); ++i) {
    if (i > 0) rows += i % 16 == 0 ? ",\n     " : ", ";
    rows += i < 8 ? fmt::format("'{}'", header[i])
                  : fmt::format("0x{:02x}", static_cast<uint8_t>(header[i]));
  }
  return rows + "},\n";
}

void add_table_words(TextWords& words, const DriverTables& tables,
                     const PackageInterface& interface,
                     const std::vector<std::string>& weights_headers) {
  words["inputs"] = std::to_string(tables.inputs);
  words["tensors"] = std::to_string(tables.tensors);
  words["variants"] = std::to_string(tables.codes.size());
  words["workspaces"] = std::to_string(tables.workspaces);
  words["weights_files"] = std::to_string(tables.weights_files);
  words["arenas"] = std::to_string(tables.arenas);
  words["bases"] = std::to_string(tables.bases);
  words["most_buffers"] = std::to_string(tables.most_buffers);
  std::vector<std::string> rows;
  for (const auto* list : {&interface.workspaces, &interface.weights})
    for (const InterfaceArena& arena : *list)
      rows.push_back(
          fmt::format("{{{}_{}_BYTES, {}}}", interface.macro, arena.macro, arena.alignment));
  words["arena_rows"] = "\n" + c_rows(rows);
  words["tensor_bytes"] = size_rows(interface, {&interface.inputs, &interface.outputs});
  words["headers"] = "";
  for (const std::string& header : weights_headers) words["headers"] += weights_header_row(header);
}

std::string c_tables(const DriverTables& tables, const PackageInterface& interface) {
  std::string text =
      "/* ---- The network "
      "-------------------------------------------------------------------------- "
      "*/\n\n";
  text += print_bases(interface) + "\n";
  std::string codes;
  for (const DriverCode& code : tables.codes) {
    text += print_kernels(code) + print_launches(code, interface.name) +
            print_homes(code, interface.name) + print_needs(code, interface.name);
    codes += print_code(code, interface.name);
  }
  const std::string order = tables.codes.size() > 1 ? "/* Best first. */\n" : "";
  return text + fmt::format("{1}static const {0}_code {0}_codes[] = {{\n{2}}};\n\n", interface.name,
                            order, codes);
}

}  // namespace dovetail
