// SPDX-License-Identifier: Apache-2.0
#pragma once

// include/NAME.h of a package for OpenCL: what a C or C++ program sees of the network.
//
//   pose model;
//   pose_init(&model, NULL, NULL, NULL, weights, bytes);     a device, context and queue of its own
//   pose_init(&model, context, device, queue, weights, bytes);       or the caller's
//   pose_run(&model, &inputs, &outputs);
//   pose_free(&model);
//
// Macros, the structs of inputs and outputs, statuses and the name that carries the build's id are
// those of a CPU's package (c_header.h). What differs has its cause in the device: there is no
// workspace to give, weights are uploaded and may go afterwards, and a model is opened and closed.

#include <string>

#include "deploy/package/c_header.h"
#include "deploy/package/opencl/opencl_tables.h"

namespace dovetail {

std::string opencl_header(const PackageInterface& interface, const BuildNames& build,
                          const OpenclTables& tables);

// @name@, @NAME@, @id@, … of a package for OpenCL.
TextWords opencl_words(const PackageInterface& interface, const BuildNames& build);

}  // namespace dovetail
