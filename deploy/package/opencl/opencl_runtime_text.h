// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of an OpenCL package's src/NAME.c that differ only in names between packages, as
// templates of filled(); opencl_runtime.cc puts them in order with the tables between them. They
// depend only on the tables and, among the header's structs, on the model's own.

#include <string_view>

namespace dovetail {

extern const std::string_view kOpenclHead;      // includes, numbers, types and rows of tables
extern const std::string_view kOpenclDevice;    // which device, its context and queue, its limits
extern const std::string_view kOpenclMemories;  // buffers, images, uploads, kernels
extern const std::string_view kOpenclOpening;   // init, free, abi, metadata, texts of statuses
extern const std::string_view kOpenclRun;       // inputs, launches, outputs

}  // namespace dovetail
