// SPDX-License-Identifier: Apache-2.0
//
// Rewrites of a nest's statements that passes over programs share. Blocks are passed by value, so
// that a pass can move one in without copying it. Walks that change nothing are in
// core/ir/program/walk.h.
#pragma once

#include <functional>
#include <string>

#include "core/ir/program/walk.h"
#include "primitives/loop/loop_lookup.h"

namespace dovetail {

// Applies `rewrite` to the nodes of every stored value.
Block with_stored_values(Block block, const Rewrite& rewrite);

// Replaces every occurrence of a loop variable, whose loop is outside `block`. `ranges` of
// variables around help to simplify.
Block with_variable(Block block, const std::string& variable, const IndexExpr& value,
                    const Ranges& ranges = {});

// Every access to the tile gets one more index, in front.
Block with_first_index(Block block, const std::string& tile, const IndexExpr& first);

// The loop with `extent` iterations, in whose body `at` replaces the variable.
Loop piece_of(const Loop& loop, int64_t extent, const IndexExpr& at);
// Replaces the variable in the bounds of selects only.
Block with_variable_in_bounds(Block block, const std::string& variable, const IndexExpr& value);

// Replaces loop variables in one value.
Value with_variables(const Value& value, const IndexValues& values);

void for_each_bound(const Block& block, const std::function<void(const Bound&)>& visit);

// Ranges of the loops inside the block.
Ranges inner_ranges(const Block& block);

// Whether the block or a loop inside it declares a tile.
bool declares_tile(const Block& block);

}  // namespace dovetail
