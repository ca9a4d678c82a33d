// SPDX-License-Identifier: Apache-2.0
//
// Checks each declaration of a program by itself (names, extents, layouts of buffers), and each
// loop against the loops around it. A loop is
//
//     parallel     outermost, and alone in its block
//     vectorized   innermost: it holds stores only
//     bound        to an axis that no loop around it is bound to
//     clipped      serial, by bounds that move with it by a constant step
//
// Only verify() calls these; the messages name the declaration.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ir/program/program.h"

namespace dovetail {

Result<void> check_name(std::string_view kind, const std::string& name);  // `kind`: "loop", "tile"
Result<void> check_extents(const std::string& what, const std::vector<int64_t>& extents);
Result<void> check_layout(const Buffer& buffer);

// `siblings`: number of statements in the loop's block, itself included.
Result<void> check_kind(const Loop& loop, const std::vector<const Loop*>& around, size_t siblings);

Result<void> check_may_be_clipped(const Loop& loop);
Result<void> check_clips_a_stretch(const Loop& loop, const Bound& bound);

}  // namespace dovetail
