// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/build_files.h"

#include <fmt/format.h>

#include "deploy/package/c_header.h"
#include "deploy/package/filled_text.h"

namespace dovetail {
namespace {

constexpr std::string_view kConfig = R"(# SPDX-License-Identifier: Apache-2.0
#   find_package(@name@ CONFIG REQUIRED)
#   target_link_libraries(app @name@::@name@)
# The folder may lie anywhere.
@refusals@
get_filename_component(_@name@_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET @name@::@name@)
  add_library(@name@::@name@ STATIC IMPORTED)
  set_target_properties(
    @name@::@name@
    PROPERTIES IMPORTED_LOCATION "${_@name@_prefix}/@library@"
               IMPORTED_LINK_INTERFACE_LANGUAGES C
               INTERFACE_INCLUDE_DIRECTORIES "${_@name@_prefix}/include")
endif()
@weights@
unset(_@name@_prefix)
)";

constexpr std::string_view kRefusal = R"(if(NOT @variable@ MATCHES "^(@expected@)$")
  set(@name@_NOT_FOUND_MESSAGE "@name@ is for @words@, found ${@variable@}")
  set(@name@_FOUND FALSE)
  return()
endif()
)";

constexpr std::string_view kVersion = R"(# SPDX-License-Identifier: Apache-2.0
set(PACKAGE_VERSION "@abi@")  # @NAME@_ABI
set(PACKAGE_VERSION_COMPATIBLE FALSE)
if(NOT PACKAGE_FIND_VERSION OR PACKAGE_FIND_VERSION_MAJOR EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_FIND_VERSION STREQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
)";

constexpr std::string_view kPkgConfig = R"(# SPDX-License-Identifier: Apache-2.0
prefix=${pcfiledir}/../..
includedir=${prefix}/include
libdir=${prefix}/lib
@weights@

Name: @name@
Description: a network as machine code, by dovetail
Version: @abi@
Cflags: -I${includedir}
Libs: -L${libdir} -l@name@
)";

struct SystemName {
  std::string_view in_triple, cmake;
};
constexpr SystemName kSystems[] = {{"linux", "Linux"},
                                   {"darwin", "Darwin"},
                                   {"macos", "Darwin"},
                                   {"windows", "Windows"},
                                   {"mingw", "Windows"}};

// Pattern for CMAKE_SYSTEM_PROCESSOR; empty: not checked.
std::string_view processors_of(std::string_view triple) {
  if (triple.starts_with("x86_64")) return "x86_64|X86_64|amd64|AMD64";
  if (triple.starts_with("aarch64") || triple.starts_with("arm64")) return "aarch64|arm64|ARM64";
  return "";
}

std::string refusals_of(const PackageInterface& interface, std::string_view triple) {
  std::string text;
  const auto refuse = [&](const char* variable, std::string_view expected, std::string_view words) {
    text += filled(kRefusal, {{"name", interface.name},
                              {"variable", variable},
                              {"expected", std::string(expected)},
                              {"words", std::string(words)}});
  };
  if (!processors_of(triple).empty())
    refuse("CMAKE_SYSTEM_PROCESSOR", processors_of(triple), triple.substr(0, triple.find('-')));
  for (const SystemName& system : kSystems) {
    if (triple.find(system.in_triple) == std::string_view::npos) continue;
    refuse("CMAKE_SYSTEM_NAME", system.cmake, system.cmake);
    break;
  }
  return text;
}

}  // namespace

std::string weights_lines(const PackageInterface& interface, const PackageOptions& options,
                          std::string_view line) {
  std::string text;
  if (options.weights == WeightsForm::embed) return text;
  for (const InterfaceArena& weights : interface.weights)
    text += filled(line, {{"name", interface.name},
                          {"pool", interface.weights.size() == 1 ? "" : "_" + weights.c_name},
                          {"path", weights_path(interface, weights)}});
  return text;
}

std::string weights_path(const PackageInterface& interface, const InterfaceArena& weights) {
  const std::string pool = interface.weights.size() == 1 ? "" : "." + weights.c_name;
  return fmt::format("share/{0}/{0}{1}.weights", interface.name, pool);
}

std::string library_path(std::string_view name, std::string_view triple) {
  const bool is_windows = triple.find("windows-msvc") != std::string_view::npos;
  return fmt::format("lib/{}{}.{}", is_windows ? "" : "lib", name, is_windows ? "lib" : "a");
}

std::string cmake_config(const PackageInterface& interface, std::string_view triple,
                         const PackageOptions& options) {
  return filled(kConfig, {{"name", interface.name},
                          {"library", library_path(interface.name, triple)},
                          {"refusals", refusals_of(interface, triple)},
                          {"weights", weights_lines(interface, options,
                                                    "set(@name@_WEIGHTS@pool@ "
                                                    "\"${_@name@_prefix}/@path@\")\n")}});
}

std::string cmake_config_version(const PackageInterface& interface) {
  return filled(kVersion, {{"NAME", interface.macro}, {"abi", std::to_string(kPackageAbi)}});
}

std::string pkg_config(const PackageInterface& interface, const PackageOptions& options) {
  return filled(
      kPkgConfig,
      {{"name", interface.name},
       {"abi", std::to_string(kPackageAbi)},
       {"weights", weights_lines(interface, options, "weights@pool@=${prefix}/@path@\n")}});
}

}  // namespace dovetail
