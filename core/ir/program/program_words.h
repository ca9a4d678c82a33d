// SPDX-License-Identifier: Apache-2.0
//
// The keywords of the text format of programs and tiles, in the order of their enumerations. Used
// by printers and parsers only.
#pragma once

#include <array>
#include <string_view>

namespace dovetail {

inline constexpr std::array<std::string_view, 5> kBufferRoles = {"activation", "constant", "output",
                                                                 "temporary", "prepared"};
inline constexpr std::array<std::string_view, 5> kLoopKinds = {"serial", "parallel", "vectorized",
                                                               "unrolled", "bind"};
inline constexpr std::array<std::string_view, 4> kTileScopes = {"registers", "private", "local",
                                                                "workspace"};
inline constexpr std::array<std::string_view, 4> kTileNouns = {"register tile", "private tile",
                                                               "local tile", "workspace tile"};
// The part of a store's assignment operator before the `=`.
inline constexpr std::array<std::string_view, 5> kReducers = {"", "+", "max", "min", "*"};

}  // namespace dovetail
