// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of src/NAME.c that differ only in names between packages, as templates of filled();
// c_driver.cc puts them in order and writes the tables between them.
//
// Types, CPU, hash, weights, checks and launches depend only on the tables, on no member of the
// header's structs: compiled once, they are the driver of the archive, too (ir_driver.h).

#include <string_view>

namespace dovetail {

extern const std::string_view kDriverHead;     // includes, numbers
extern const std::string_view kDriverTypes;    // types of tables
extern const std::string_view kDriverCpu;      // CPUID and XGETBV; which code the processor can run
extern const std::string_view kDriverHash;     // XXH64
extern const std::string_view kDriverWeights;  // identity of weights files
extern const std::string_view kDriverOpening;  // init, check_weights, abi, metadata
extern const std::string_view kDriverChecks;   // arguments of a run
extern const std::string_view kDriverLaunches;  // addresses, kernels; texts of statuses
extern const std::string_view kDriverRun;       // run, map_inputs, map_outputs

}  // namespace dovetail
