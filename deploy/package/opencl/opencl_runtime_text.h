// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of src/NAME.c of a package for OpenCL that are the same in all packages but for names,
// as templates of filled(); opencl_runtime.cc puts them in order with the tables between them. They
// ask the tables alone, and name no member of the header's structs but of the model's own.

#include <string_view>

namespace dovetail {

extern const std::string_view kOpenclHead;      // includes, numbers, types and rows of tables
extern const std::string_view kOpenclDevice;    // which device, its context and queue, its limits
extern const std::string_view kOpenclMemories;  // buffers, images, uploads, kernels
extern const std::string_view kOpenclOpening;   // init, free, abi, metadata, texts of statuses
extern const std::string_view kOpenclRun;       // inputs, launches, outputs

}  // namespace dovetail
