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

inline constexpr std::array<std::string_view, 5> kBufferRoles = {"activation", "constant", "output",
                                                                 "temporary", "derived"};
inline constexpr std::array<std::string_view, 5> kLoopKinds = {"serial", "parallel", "vectorized",
                                                               "unrolled", "bind"};
inline constexpr std::array<std::string_view, 3> kTileScopes = {"registers", "private", "local"};
inline constexpr std::array<std::string_view, 3> kTileNouns = {"register tile", "private tile",
                                                               "local tile"};
// In front of the `=` of a store.
inline constexpr std::array<std::string_view, 5> kReducers = {"", "+", "max", "min", "*"};

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
