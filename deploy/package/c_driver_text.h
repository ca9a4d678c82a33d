// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of src/NAME.c that are the same in all packages but for names, as templates of
// filled(); c_driver.cc puts them in order and writes the tables between them.

#include <string_view>

namespace dovetail {

extern const std::string_view kDriverHead;     // includes, types
extern const std::string_view kDriverCpu;      // CPUID and XGETBV
extern const std::string_view kDriverHash;     // XXH64
extern const std::string_view kDriverOpening;  // init, check_weights, abi, status_text
extern const std::string_view kDriverChecks;   // what a run is given
extern const std::string_view kDriverRun;      // run, map_inputs, map_outputs

}  // namespace dovetail
