// SPDX-License-Identifier: Apache-2.0
#pragma once

// Files with which build systems find a package, wherever its folder is:
//
//   find_package(pose CONFIG REQUIRED)              lib/cmake/pose/pose-config.cmake
//   target_link_libraries(app pose::pose)           pose_WEIGHTS is the file's path
//   pkg-config --cflags --libs pose                 lib/pkgconfig/pose.pc
//
// The CMake file rejects a processor or system that the code is not for, before anything is linked.

#include <string>
#include <string_view>

#include "deploy/package/package_interface.h"
#include "deploy/package/package_options.h"

namespace dovetail {

// Path of the archive on that system: "lib/libpose.a", "lib/pose.lib" on Windows.
std::string library_path(std::string_view name, std::string_view triple);

std::string cmake_config(const PackageInterface& interface, std::string_view triple,
                         const PackageOptions& options);
std::string cmake_config_version(const PackageInterface& interface);
std::string pkg_config(const PackageInterface& interface, const PackageOptions& options);

// The template's line, with @name@, @pool@ and @path@, once per weights file; empty if embedded.
std::string weights_lines(const PackageInterface& interface, const PackageOptions& options,
                          std::string_view line);

// share/NAME/NAME.weights, or share/NAME/NAME.flash.weights for a pool `flash`.
std::string weights_path(const PackageInterface& interface, const InterfaceArena& weights);

}  // namespace dovetail
