// SPDX-License-Identifier: Apache-2.0
#pragma once

// SHA-256 (FIPS 180-4): what names a build and the files of a package.
//
//   sha256_hex("abc")     ba7816bf 8f01cfea 414140de 5dae2223 b00361a3 96177a9c b410ff61 f20015ad
//
// Why our own: LLVM's is no part of what deploy may include, and a library for sixty lines would be
// one more thing to install. It is for names and damage; nothing secret passes through it.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace dovetail {

using Sha256 = std::array<uint8_t, 32>;

Sha256 sha256(std::string_view bytes);
std::string hex_of(const Sha256& digest);  // 64 digits, small letters
inline std::string sha256_hex(std::string_view bytes) { return hex_of(sha256(bytes)); }

}  // namespace dovetail
