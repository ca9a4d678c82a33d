// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/xxhash64.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace dovetail {
namespace {

constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87, kPrime2 = 0xC2B2AE3D27D4EB4F,
                   kPrime3 = 0x165667B19E3779F9, kPrime4 = 0x85EBCA77C2B2AE63,
                   kPrime5 = 0x27D4EB2F165667C5;

// A little-endian word, on any machine.
template <typename Word>
Word read_word(const char* bytes) {
  Word value = 0;
  std::memcpy(&value, bytes, sizeof value);
  if constexpr (std::endian::native == std::endian::little) return value;
  Word swapped = 0;
  for (size_t i = 0; i < sizeof value; ++i)
    swapped |= Word{static_cast<uint8_t>(bytes[i])} << 8 * i;
  return swapped;
}

uint64_t round_of(uint64_t lane, uint64_t input) {
  return std::rotl(lane + input * kPrime2, 31) * kPrime1;
}

uint64_t merged(const std::array<uint64_t, 4>& lanes) {
  uint64_t hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) +
                  std::rotl(lanes[3], 18);
  for (const uint64_t lane : lanes) hash = (hash ^ round_of(0, lane)) * kPrime1 + kPrime4;
  return hash;
}

// Hashes the tail after the last whole 32 bytes.
uint64_t with_rest(uint64_t hash, std::string_view rest) {
  for (; rest.size() >= 8; rest.remove_prefix(8)) {
    hash ^= round_of(0, read_word<uint64_t>(rest.data()));
    hash = std::rotl(hash, 27) * kPrime1 + kPrime4;
  }
  if (rest.size() >= 4) {
    hash ^= read_word<uint32_t>(rest.data()) * kPrime1;
    hash = std::rotl(hash, 23) * kPrime2 + kPrime3;
    rest.remove_prefix(4);
  }
  for (const char byte : rest)
    hash = std::rotl(hash ^ static_cast<uint8_t>(byte) * kPrime5, 11) * kPrime1;
  return hash;
}

}  // namespace

uint64_t xxhash64(std::string_view bytes) {
  const uint64_t total = bytes.size();
  uint64_t hash = kPrime5;
  if (bytes.size() >= 32) {
    std::array<uint64_t, 4> lanes = {kPrime1 + kPrime2, kPrime2, 0, uint64_t{0} - kPrime1};
    for (; bytes.size() >= 32; bytes.remove_prefix(32))
      for (size_t i = 0; i < lanes.size(); ++i)
        lanes[i] = round_of(lanes[i], read_word<uint64_t>(bytes.data() + 8 * i));
    hash = merged(lanes);
  }
  hash = with_rest(hash + total, bytes);
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

}  // namespace dovetail
