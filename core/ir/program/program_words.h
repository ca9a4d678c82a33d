// SPDX-License-Identifier: Apache-2.0
//
// The words of the printed forms of programs and schedules, in the order of the enumerations that
// they name. Of use to the printers and parsers of core/ir only.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace dovetail {

inline constexpr std::array<std::string_view, 2> kDataTypes = {"f32", "f16"};
inline constexpr std::array<std::string_view, 5> kBufferRoles = {"activation", "constant", "output",
                                                                 "temporary", "derived"};
inline constexpr std::array<std::string_view, 5> kLoopKinds = {"serial", "parallel", "vectorized",
                                                               "unrolled", "bind"};
inline constexpr std::array<std::string_view, 3> kTileScopes = {"registers", "private", "local"};
inline constexpr std::array<std::string_view, 3> kTileNouns = {"register tile", "private tile",
                                                               "local tile"};
inline constexpr std::array<std::string_view, 6> kBinaryOps = {"+", "-", "*", "/", "min", "max"};
inline constexpr std::array<std::string_view, 3> kUnaryOps = {"exp", "tanh", "erf"};

// The enumerator that a word names.
template <typename Enum, size_t Size>
std::optional<Enum> word_to(const std::array<std::string_view, Size>& words,
                            std::string_view word) {
  for (size_t i = 0; i < Size; ++i) {
    if (words[i] == word) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace dovetail
