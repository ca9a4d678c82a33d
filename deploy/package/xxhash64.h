// SPDX-License-Identifier: Apache-2.0
#pragma once

// XXH64 (Yann Collet's, as its specification of 2021 has it): a fast hash that finds damage.
//
//   xxhash64("")       0xef46db3751d8e999
//   xxhash64("abc")    0x44bc2cf5ad770999
//
// Why this one: the driver of a package computes it, too, in C99 of one page, and 92 MB of weights
// take 18 ms. It keeps nobody out who wants to change a byte unseen.

#include <cstdint>
#include <string_view>

namespace dovetail {

uint64_t xxhash64(std::string_view bytes);  // seed 0

}  // namespace dovetail
