// SPDX-License-Identifier: Apache-2.0
#pragma once

// include/NAME.h of a package for OpenCL: the network's interface for C and C++ programs.
//
//   pose model;
//   pose_init(&model, NULL, NULL, NULL, weights, bytes);     a device, context and queue of its own
//   pose_init(&model, context, device, queue, weights, bytes);       or the caller's
//   pose_run(&model, &inputs, &outputs);
//   pose_free(&model);
//
// Macros, the structs of inputs and outputs, statuses and the symbol with the build's id are as in
// a CPU's package (c_header.h). The device is the cause of all differences: there is no workspace
// argument, weights are uploaded and may be freed afterwards, and a model is opened and closed.

#include <string>

#include "deploy/package/c_header.h"
#include "deploy/package/opencl/opencl_tables.h"

namespace dovetail {

std::string opencl_header(const PackageInterface& interface, const BuildNames& build,
                          const OpenclTables& tables);

// Template words of a package for OpenCL: @name@, @NAME@, @id@, …
TextWords opencl_words(const PackageInterface& interface, const BuildNames& build);

}  // namespace dovetail
