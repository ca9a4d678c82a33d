// SPDX-License-Identifier: Apache-2.0
#pragma once

// T4's words for our statuses: its schema's word for why a configuration has no time, and the text
// that Kernel Tuner writes where the time would be.
//
//   t4_invalidity(Status::device_limit)     "compile"
//   t4_missing_time(Status::device_limit)   "CompilationFailedConfig"

#include <string_view>

#include "core/record/line/measure_result.h"

namespace dovetail {

std::string_view t4_invalidity(Status status);    // "correct" of ok
std::string_view t4_missing_time(Status status);  // of any but ok

}  // namespace dovetail
