// SPDX-License-Identifier: Apache-2.0
#pragma once

// The word of an algorithm whose name has changed: as traces print it, and as older logs have it.
//
//   algorithm: pairs(of=4)     of a log, is read as     algorithm: winograd_inner_product(of=4)

#include <string_view>

namespace dovetail {

inline constexpr std::string_view kInnerProductWord = "winograd_inner_product";
inline constexpr std::string_view kFormerInnerProductWord = "pairs";

}  // namespace dovetail
