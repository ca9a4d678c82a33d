// SPDX-License-Identifier: Apache-2.0
#pragma once

// read_trace: a trace that a user has as text, as `dovetail show --what trace` prints it.
//
//   read_trace("mine.txt")     read_trace("-")     from stdin, as at the end of a pipe

#include <string>

#include "core/base/result.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

// The error names file, line and column.
Result<Trace> read_trace(const std::string& path);

}  // namespace dovetail
