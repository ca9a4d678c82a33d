// SPDX-License-Identifier: Apache-2.0
#pragma once

// examples/: complete programs that use the package, to be copied and changed.
//
//   main.c       one thread; C99 and POSIX
//   threads.cc   the hook with std::jthread; C++20
//   openmp.c     the hook with OpenMP
//
//   ./main ../share/pose/pose.weights image.bin prior.bin > outputs.bin
//
// Inputs are files of raw numbers, zeros where one is missing; outputs are written one after the
// other. Tests run these programs to compare a package with the network it was built from.

#include <string>
#include <string_view>

#include "deploy/package/c_header.h"

namespace dovetail {

struct PackageExamples {
  std::string sequential, threads, openmp;
};
PackageExamples package_examples(const PackageInterface& interface, const BuildNames& build,
                                 const PackageOptions& options);

// Shared by examples of all targets. --------------------------------------------------------------

// Templates: the head of each example, before its own functions; two functions that it may need.
extern const std::string_view kExampleHead;
extern const std::string_view kExampleMapFile, kExampleReadInput;

// Statements that end a program whose arguments are too few or too many: its usage, exit code 2.
std::string example_usage_lines(const PackageInterface& interface, const PackageOptions& options);

// Statements that read inputs from the command-line arguments after the weights files, and
// statements that write outputs.
std::string example_read_lines(const PackageInterface& interface, const PackageOptions& options);
std::string example_write_lines(const PackageInterface& interface);

}  // namespace dovetail
