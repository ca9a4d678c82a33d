// SPDX-License-Identifier: Apache-2.0
#pragma once

// Arrays as numpy.save writes them and numpy.load reads them.
//
//   const NDArray x = TRY(read_npy("input_0.npy"));     x.shape() {1, 3, 8, 8}, row-major
//   TRY(write_npy("output_0.npy", {ElementType::f32, {1, 4, 6, 6}, values}));
//
//   bytes   \x93NUMPY 1 0, the header's length, its text, the elements
//   text    {'descr': '<f4', 'fortran_order': False, 'shape': (1, 3, 8, 8), }
//
// Reads versions 1.0 to 3.0, little-endian numbers of every width and booleans; writes 1.0, as
// numpy does. Elements keep their bits; u8 (uint64) becomes i64, and a number beyond it is an error
// that names its element.
//
// Our own reader, because the format is a page long and the distribution packages no library.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/value/ndarray.h"

namespace dovetail {

// The error is one line: what was found, what was expected.
Result<NDArray> parse_npy(std::string_view bytes);
std::string npy_bytes(const NDArray& array);

// The same for files, which the error names.
Result<NDArray> read_npy(const std::string& path);
Result<void> write_npy(const std::string& path, const NDArray& array);

std::string print_shape(const std::vector<int64_t>& shape);  // "1x3x8x8"

}  // namespace dovetail
