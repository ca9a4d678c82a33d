// SPDX-License-Identifier: Apache-2.0
#pragma once

// NpyArray: an array as numpy.save writes it and numpy.load reads it.
//
//   const NpyArray x = TRY(read_npy("input_0.npy"));     x.shape {1, 3, 8, 8}, x.values row-major
//   TRY(write_npy("output_0.npy", {ElementType::f32, {1, 4, 6, 6}, values}));
//
//   bytes   \x93NUMPY 1 0, the header's length, its text, the elements
//   text    {'descr': '<f4', 'fortran_order': False, 'shape': (1, 3, 8, 8), }
//
// Versions 1.0 to 3.0, little-endian numbers and truth values; written is 1.0, as numpy does.
// Values are floats here, as they are everywhere on the host, and no number is rounded on the way:
// an element that a float does not hold (0.1 of f8, 2^24 + 1 of i8) is an error that names it.
//
// A reader of our own, because the format is a page long and the distribution packages no library.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/value/element_type.h"

namespace dovetail {

struct NpyArray {
  ElementType type = ElementType::f32;  // in the file
  std::vector<int64_t> shape;           // empty: a single number
  std::vector<float> values;            // row-major, whatever the order in the file was
  friend bool operator==(const NpyArray&, const NpyArray&) = default;
};

// The error is one line: what was found, what was expected.
Result<NpyArray> parse_npy(std::string_view bytes);
std::string npy_bytes(const NpyArray& array);  // of a type that tensors are stored in

// The same of files, which the error names.
Result<NpyArray> read_npy(const std::string& path);
Result<void> write_npy(const std::string& path, const NpyArray& array);

std::string print_shape(const std::vector<int64_t>& shape);  // "1x3x8x8"

}  // namespace dovetail
