// SPDX-License-Identifier: Apache-2.0
#pragma once

// C programs that use a package `net` for OpenCL as its users would, with one input `image_0` and
// outputs of any names (`pool_output` …): each prints the line that failed and exits with 1.
// Arguments: the weights, the input, the expected outputs.

namespace dovetail::testing {

extern const char* const kOpenclStatusesProgram;  // statuses; the caller's context and queue
// Fails each call of the runtime's in turn, and counts what is alive afterwards; compares the bytes
// of buffers with those that the header states, and the order of releases with that of creation.
extern const char* const kOpenclFailuresProgram;
extern const char* const kOpenclWrapped[15];  // functions that the linker hands to it

}  // namespace dovetail::testing
