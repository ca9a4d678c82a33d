// SPDX-License-Identifier: Apache-2.0
#pragma once

// Faults: injected misbehaviour, so that every failure can be tested with the real machinery.
//
//   parse_faults("3=build_crash,7=run_hang")    3 crashes its builder, 7 hangs its runner
//
// build_* and run_*: crash (writes to address 64), hang, exit (exit code 3), garbage (bytes that
// are no frame), huge (allocates until it is stopped). run_before, run_after: the candidate runs
// normally, then four bytes are written just before or after its output. run_lost: its run fails,
// and so do all later ones of the worker, as those of a device do whose context was lost.
// time_crash, time_hang: after the check.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

using Faults = std::map<int64_t, std::string>;  // trial -> fault

Result<Faults> parse_faults(std::string_view text);
std::string print(const Faults& faults);

// The fault of a trial; empty: none.
std::string fault_of(const Faults& faults, int64_t trial);

// Commits `fault` if it belongs to this phase ("build", "run", "time"); most do not return.
void commit_fault(std::string_view fault, std::string_view phase);

}  // namespace dovetail
