// SPDX-License-Identifier: Apache-2.0
#pragma once

// A hand-written network of three kernels and its package, which the tests of deploy/package
// compile, run and damage, and whose symbols they count.
//
//   image, prior -> add -> tmp -> scale by W -> heatmaps:0 -> sum times K -> score

#include <string>
#include <string_view>
#include <vector>

#include "core/runtime/executable.h"
#include "deploy/package/c_header.h"
#include "deploy/package/package_facts.h"
#include "deploy/package/package_interface.h"
#include "deploy/package/package_options.h"
#include "tests/support/shell.h"
#include "tests/support/temporary_folder.h"

namespace dovetail::testing {

// Kernels are called NAME_add, NAME_scale and NAME_sum.
Executable sample_executable(std::string_view name);
// The same with a workspace of two pools and constants in two.
Executable sample_executable_with_pools(std::string_view name);

// Made up, one of each kind.
PackageFacts sample_facts();

// The kernels in C; each ends the program where a buffer is no multiple of 64.
std::string sample_kernels(std::string_view name);

// The generated parts of a package of some variants; the kernels are sample_kernels().
struct SampleSources {
  PackageInterface interface;
  std::string header, driver;
  std::string driver_object;         // driver from IR; empty in a build without LLVM
  std::vector<std::string> weights;  // files
};
SampleSources sample_sources(const PackageVariants& variants, const PackageOptions& options);
SampleSources sample_sources(const Executable& executable, const PackageOptions& options);

// NAME.h, NAME.c, NAME_ir.o, NAME_kernels.c, NAME.weights (NAME.0.weights and so on, where there
// are several).
void write_sample(const TemporaryFolder& folder, std::string_view name,
                  const SampleSources& sources);

}  // namespace dovetail::testing
