// SPDX-License-Identifier: Apache-2.0
#pragma once

// package_files: all files of a compiled network's package but the machine code.
//
//   const Package package = TRY(package_files(executable, facts, {.name = "pose"}));
//   package.files    include/pose.h              lib/cmake/pose/pose-config.cmake, -version.cmake
//                    src/pose.c                  lib/pkgconfig/pose.pc
//                    share/pose/pose.weights     share/pose/metadata.json, plan.csv, .svg
//                    LICENSES                    examples/main.c (threads.cc, openmp.c)
//   package.id       5e1f0c2a…                   in the header, the weights, the metadata
//   package.embedded pose_weights -> bytes       where weights are to be an object of the library
//
//   const std::string library = TRY(package_library(executable, package));   // package_library.h
//   files = with_file(package.files, "lib/libpose.a", library);
//   TRY(write_package(files, "out", {.force = false}));             // write_package.h
//
// A build's id is the SHA-256 of everything but itself: the texts with an id of zeros, the
// constants and the objects of kernels. So it is known before the driver is compiled, and excludes
// the archive, which is built from all that.

#include <map>
#include <string>

#include "core/base/result.h"
#include "deploy/package/package_facts.h"
#include "deploy/package/package_interface.h"
#include "deploy/package/package_options.h"

namespace dovetail {

using PackageFiles = std::map<std::string, std::string>;  // path in the folder -> bytes

struct Package {
  std::string id;  // 64 hexadecimal digits
  PackageInterface interface;
  PackageFiles files;
  std::map<std::string, std::string> embedded;  // symbol -> bytes, at a multiple of its alignment
  std::string driver_ir;                        // src/NAME.c as IR, for the library (ir_driver.h)
};

// Fails as package_interface() and c_driver() do.
Result<Package> package_files(const PackageVariants& variants, const PackageFacts& facts,
                              const PackageOptions& options);
// The package of one executable, for processors with these features.
Result<Package> package_files(const Executable& executable, const PackageFacts& facts,
                              const PackageOptions& options,
                              const std::vector<std::string>& cpu_features = {});

// Adds one file, also to the files in metadata.json.
PackageFiles with_file(PackageFiles files, const std::string& path, std::string bytes);

// The path of metadata.json; empty where there is none.
std::string metadata_path(const PackageFiles& files);

}  // namespace dovetail
