// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tables of src/NAME.c.
//
//   extern void pose_p0_0_pad(void* const* tables, int64_t first, int64_t last);
//   static const pose_place pose_places[] = {
//       {2, 0}, {1, 1024},                             one line for each kernel, in launch order
//   };
//   static const pose_launch pose_launches[] = {
//       {pose_p0_0_pad, 16, 0, 2, 1},
//   };
//   static const pose_code pose_codes[] = {{pose_launches, 1, pose_places, …}};

#include <string>
#include <vector>

#include "deploy/package/driver/driver_tables.h"
#include "deploy/package/filled_text.h"

namespace dovetail {

// The first 64 bytes of a file of weights, as a row of an array.
std::string weights_header_row(const std::string& header);

// Words for numbers and rows in the driver's head.
void add_table_words(TextWords& words, const DriverTables& tables,
                     const PackageInterface& interface,
                     const std::vector<std::string>& weights_headers);

std::string c_tables(const DriverTables& tables, const PackageInterface& interface);

}  // namespace dovetail
