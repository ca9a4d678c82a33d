// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/opencl/opencl_texts.h"

#include <fmt/format.h>

#include <string_view>

#include "deploy/package/build_files.h"
#include "deploy/package/examples.h"
#include "deploy/package/opencl/opencl_header.h"
#include "deploy/package/opencl/opencl_runtime.h"
#include "deploy/package/opencl/opencl_tables.h"

namespace dovetail {
namespace {

constexpr std::string_view kOpenclConfig = R"(# SPDX-License-Identifier: Apache-2.0
#   find_package(@name@ CONFIG REQUIRED)
#   target_link_libraries(app @name@::@name@)
# The folder may lie anywhere; its source is compiled once, in the project that asks for it.
get_property(_@name@_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(NOT "C" IN_LIST _@name@_languages)
  set(@name@_NOT_FOUND_MESSAGE "@name@ is C source; expected a project with LANGUAGES C")
  set(@name@_FOUND FALSE)
  return()
endif()
include(CMakeFindDependencyMacro)
find_dependency(OpenCL)
get_filename_component(_@name@_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET @name@::@name@)
  add_library(@name@_package STATIC "${_@name@_prefix}/src/@name@.c")
  set_target_properties(@name@_package PROPERTIES POSITION_INDEPENDENT_CODE ON C_STANDARD 99)
  target_include_directories(@name@_package PUBLIC "${_@name@_prefix}/include")
  target_link_libraries(@name@_package PUBLIC OpenCL::OpenCL)
  add_library(@name@::@name@ ALIAS @name@_package)
endif()
@weights@
unset(_@name@_prefix)
unset(_@name@_languages)
)";

constexpr std::string_view kOpenclPkgConfig = R"(# SPDX-License-Identifier: Apache-2.0
# cc app.c $(pkg-config --variable=source @name@) $(pkg-config --cflags --libs @name@)
prefix=${pcfiledir}/../..
includedir=${prefix}/include
source=${prefix}/src/@name@.c
@weights@

Name: @name@
Description: a network as a program for OpenCL, by dovetail
Version: @abi@
Cflags: -I${includedir}
Libs: -lOpenCL
)";

constexpr std::string_view kOpenclMain =
    R"(static int failed(const @name@* model, @name@_status status) {
  fprintf(stderr, "@name@: %s\n", @name@_status_text(status));
  if (model->opencl_call != NULL)
    fprintf(stderr, "@name@: %s gives %d\n", model->opencl_call, (int)model->opencl_error);
  return 1;
}

static void* memory(size_t bytes) {
  void* const found = malloc(bytes);
  if (found == NULL) exit(1);
  return found;
}

int main(int argc, char** argv) {
  @name@ model;
  @name@_inputs inputs;
  @name@_outputs outputs;
@usage@
  size_t bytes = 0;
  const void* weights = map_file(argv[1], &bytes);
  /* The first device of the right name; a context, a device and a queue of one's own would do. */
  @name@_status status = @name@_init(&model, NULL, NULL, NULL, weights, bytes);
  if (status != @NAME@_OK) return failed(&model, status);

@allocate@
@read_inputs@

  status = @name@_run(&model, &inputs, &outputs);
  if (status != @NAME@_OK) return failed(&model, status);
@write_outputs@
  @name@_free(&model);
  return fflush(stdout) == 0 ? 0 : 1;
}
)";

std::string allocation(const PackageInterface& interface) {
  std::string text = interface.inputs.empty() ? "  inputs.none = NULL;\n" : "";
  for (const InterfaceTensor& tensor : interface.inputs)
    text += fmt::format("  inputs.{} = memory({}_{}_BYTES);\n", tensor.c_name, interface.macro,
                        tensor.macro);
  for (const InterfaceTensor& tensor : interface.outputs)
    text += fmt::format("  outputs.{} = memory({}_{}_BYTES);\n", tensor.c_name, interface.macro,
                        tensor.macro);
  return text;
}

std::string opencl_example(const PackageInterface& interface, const BuildNames& build,
                           const PackageOptions& options) {
  TextWords words = opencl_words(interface, build);
  words["how"] = " on OpenCL";
  words["compile"] =
      fmt::format("cc -O2 -I../include main.c ../src/{}.c -lOpenCL -o main", interface.name);
  words["program"] = "main";
  words["warning"] = words["includes"] = "";
  words["header"] = fmt::format("\"{}.h\"", interface.name);
  words["weights_argument"] = " ../" + weights_path(interface, interface.weights[0]);
  words["input_arguments"] = "";
  for (const InterfaceTensor& tensor : interface.inputs)
    words["input_arguments"] += fmt::format(" {}.bin", tensor.c_name);
  words["usage"] = example_usage_lines(interface, options);
  words["allocate"] = allocation(interface);
  words["read_inputs"] = example_read_lines(interface, options);
  words["write_outputs"] = example_write_lines(interface);
  std::string text = filled(kExampleHead, words);
  text += kExampleMapFile;
  if (!interface.inputs.empty()) text += kExampleReadInput;
  return text + filled(kOpenclMain, words);
}

TextWords build_words(const PackageInterface& interface, const BuildNames& build,
                      const PackageOptions& options, std::string_view weights_line) {
  TextWords words = opencl_words(interface, build);
  words["abi"] = std::to_string(kPackageAbi);
  words["weights"] = weights_lines(interface, options, weights_line);
  return words;
}

}  // namespace

std::map<std::string, std::string> opencl_texts(const Executable& executable,
                                                const PackageInterface& interface,
                                                const BuildNames& build,
                                                const std::string& weights_header,
                                                const std::string& metadata) {
  const std::string& name = interface.name;
  const PackageOptions options{.name = name};
  const OpenclTables tables = opencl_tables(executable, interface);
  const OpenclRuntimeData data{.weights_header = weights_header, .metadata = metadata};
  return {
      {fmt::format("include/{}.h", name), opencl_header(interface, build, tables)},
      {fmt::format("src/{}.c", name), opencl_runtime(executable, interface, build, tables, data)},
      {fmt::format("share/{0}/{0}.cl", name), executable.code.objects.at(0)},
      {fmt::format("lib/cmake/{0}/{0}-config.cmake", name),
       filled(kOpenclConfig,
              build_words(interface, build, options,
                          "set(@name@_WEIGHTS@pool@ \"${_@name@_prefix}/@path@\")\n"))},
      {fmt::format("lib/pkgconfig/{}.pc", name),
       filled(kOpenclPkgConfig,
              build_words(interface, build, options, "weights@pool@=${prefix}/@path@\n"))},
      {"examples/main.c", opencl_example(interface, build, options)}};
}

}  // namespace dovetail
