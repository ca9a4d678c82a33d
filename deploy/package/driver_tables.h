// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tables of src/NAME.c: launches, places, homes of tensors, what a processor must have.
//
//   extern void pose_p0_0_pad(void* const* tables, int64_t first, int64_t last);
//   static const pose_place pose_places[] = {
//       {2, 0}, {1, 65536},                            one line for each kernel, in launch order
//   };
//   static const pose_launch pose_launches[] = {
//       {pose_p0_0_pad, 16, 0, 2},
//   };
//   static const pose_code pose_codes[] = {{pose_launches, 1, pose_places, …}};
//
// Bases are numbered: workspaces, files of weights, inputs, outputs, and behind them the one of
// buffers that have no address.

#include <string>
#include <vector>

#include "core/base/result.h"
#include "deploy/package/filled_text.h"
#include "deploy/package/package_interface.h"

namespace dovetail {

// Numbers and rows that the driver's head names.
void add_table_words(TextWords& words, const PackageVariants& variants,
                     const PackageInterface& interface,
                     const std::vector<std::string>& weights_headers);

Result<std::string> driver_tables(const PackageVariants& variants,
                                  const PackageInterface& interface, bool is_choosing);

}  // namespace dovetail
