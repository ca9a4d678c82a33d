// SPDX-License-Identifier: Apache-2.0
//
// Passes over programs share these rewrites of a nest's statements. Blocks come by value, so that a
// pass which is done with one moves it in and nothing is copied. Walks that change nothing are in
// core/ir/program/walk.h.
#pragma once

#include <functional>
#include <string>

#include "core/ir/program/walk.h"
#include "primitives/loop/loop_lookup.h"

namespace dovetail {

// Every value that is stored, and the nodes in it, as `rewrite` gives them.
Block with_stored_values(Block block, const Rewrite& rewrite);

// Every occurrence of a loop variable replaced; the loop that declares it is outside `block`.
// `ranges` are of variables around, and help to simplify.
Block with_variable(Block block, const std::string& variable, const IndexExpr& value,
                    const Ranges& ranges = {});

// Every access to the tile gets one index more, the first.
Block with_first_index(Block block, const std::string& tile, const IndexExpr& first);

// The iterations of the loop from `first` on, `extent` of them; `at` is its variable's value there.
Loop piece_of(const Loop& loop, int64_t extent, const IndexExpr& at);
// In the bounds of selects only.
Block with_variable_in_bounds(Block block, const std::string& variable, const IndexExpr& value);

// Occurrences of loop variables replaced in one value.
Value with_variables(const Value& value, const IndexValues& values);

void for_each_bound(const Block& block, const std::function<void(const Bound&)>& visit);

// The ranges are those of the loops inside the block.
Ranges inner_ranges(const Block& block);

// Whether the block or a loop inside it declares a tile.
bool declares_tile(const Block& block);

}  // namespace dovetail
