// SPDX-License-Identifier: Apache-2.0
#pragma once

// IEEE 754 binary16 ("half") and bfloat16, the upper half of a float: conversion between float and
// the 16 bits that hold one.
//
//   float_to_half_bits(1.0f)     == 0x3c00
//   float_to_half_bits(65520.0f) == 0x7c00      // too large: infinity
//   half_bits_to_float(0x0001)   == 0x1p-24f    // the smallest subnormal
//   float_to_bfloat_bits(1.0f)   == 0x3f80
//
// Rounds to nearest, ties to even; subnormals, infinities and the sign of zero are kept; a NaN
// stays a NaN. Plain integer arithmetic instead of the compiler's _Float16: the host may have none,
// and f16 references must be the same bits on every host.

#include <cstdint>

namespace dovetail {

uint16_t float_to_half_bits(float value);
float half_bits_to_float(uint16_t bits);
uint16_t float_to_bfloat_bits(float value);
float bfloat_bits_to_float(uint16_t bits);

}  // namespace dovetail
