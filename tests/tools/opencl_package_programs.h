// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs in C that use a package `net` for OpenCL as a stranger would, with one input
// `image_0` and outputs `pool_output` … by whatever names: each says the line of what failed and
// ends with 1. Arguments: the weights, the input, the outputs that are expected.

namespace dovetail::testing {

extern const char* const kOpenclStatusesProgram;  // statuses; the caller's context and queue
// Fails each call of the runtime's in turn, and counts what is alive afterwards.
extern const char* const kOpenclFailuresProgram;
extern const char* const kOpenclWrapped[14];  // functions that the linker hands to it

}  // namespace dovetail::testing
