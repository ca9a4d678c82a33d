// SPDX-License-Identifier: Apache-2.0
#pragma once

// NpyHeader: the text in front of an .npy file's elements, a literal of Python:
//
//   {'descr': '<f4', 'fortran_order': False, 'shape': (1, 3, 8, 8), }
//
// For npy.h only. Read are these three keys, in any order and with any spaces, as numpy demands.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

struct NpyHeader {
  std::string descr;  // "<f4"
  bool fortran_order = false;
  std::vector<int64_t> shape;
  friend bool operator==(const NpyHeader&, const NpyHeader&) = default;
};

Result<NpyHeader> parse_npy_header(std::string_view text);
std::string print(const NpyHeader& header);

}  // namespace dovetail
