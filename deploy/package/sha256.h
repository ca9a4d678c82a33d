// SPDX-License-Identifier: Apache-2.0
#pragma once

// SHA-256 (FIPS 180-4): ids of builds and digests of a package's files.
//
//   sha256_hex("abc")     ba7816bf 8f01cfea 414140de 5dae2223 b00361a3 96177a9c b410ff61 f20015ad
//
// Why not a library: deploy may not include LLVM's, and another one would be a dependency for sixty
// lines. It identifies files and detects damage; it protects no secrets.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace dovetail {

using Sha256 = std::array<uint8_t, 32>;

Sha256 sha256(std::string_view bytes);
std::string hex_of(const Sha256& digest);  // 64 lower-case digits
inline std::string sha256_hex(std::string_view bytes) { return hex_of(sha256(bytes)); }

}  // namespace dovetail
