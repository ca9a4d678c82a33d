// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/opencl/opencl_runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "deploy/package/c_literal.h"
#include "deploy/package/driver/c_driver_text.h"
#include "deploy/package/driver/c_tables.h"
#include "deploy/package/opencl/opencl_header.h"
#include "deploy/package/opencl/opencl_runtime_text.h"

namespace dovetail {
namespace {

std::string tensors_given(const PackageInterface& interface) {
  std::string text;
  size_t number = 0;
  for (const InterfaceTensor& tensor : interface.inputs)
    text += fmt::format("  tensors[{}] = inputs->{};\n", number++, tensor.c_name);
  for (const InterfaceTensor& tensor : interface.outputs)
    text += fmt::format("  tensors[{}] = outputs->{};\n", number++, tensor.c_name);
  return text;
}

void add_tables(TextWords& words, const Executable& executable, const PackageInterface& interface,
                const OpenclTables& tables) {
  const CStrings source = c_source_strings(executable.code.objects.at(0));
  words["inputs_count"] = std::to_string(interface.inputs.size());
  words["tensors_count"] = std::to_string(tables.tensors.size());
  words["memory_count"] = std::to_string(tables.memories.size());
  words["launch_count"] = std::to_string(tables.launches.size());
  words["source_count"] = std::to_string(source.count);
  words["source"] = source.text;
  words["tensor_memories"] = c_tensor_memories(tables);
  words["memory_rows"] = c_memory_rows(tables, executable);
  words["launch_rows"] = c_launch_rows(tables);
  words["argument_rows"] = c_argument_rows(tables);
}

}  // namespace

std::string opencl_runtime(const Executable& executable, const PackageInterface& interface,
                           const BuildNames& build, const OpenclTables& tables,
                           const OpenclRuntimeData& data) {
  TextWords words = opencl_words(interface, build);
  add_tables(words, executable, interface, tables);
  words["header"] = fmt::format("\"{}.h\"", interface.name);
  words["headers"] = weights_header_row(data.weights_header);
  words["device_name"] = c_string_lines(executable.target.device, "      ");
  words["metadata"] = c_text_return(data.metadata);
  words["tensors_given"] = tensors_given(interface);
  std::string text;
  for (const std::string_view part :
       {kOpenclHead, kOpenclDevice, kDriverHash, kOpenclMemories, kOpenclOpening, kOpenclRun})
    text += filled(part, words);
  return with_aligned_comments(text);
}

}  // namespace dovetail
