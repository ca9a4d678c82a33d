// SPDX-License-Identifier: Apache-2.0
//
// Traversals of blocks, shared by checks, passes and emitters of programs (those of values are in
// core/ir/value/walk.h).
//
//     kernel pad_X      X read, X.pad written              by uses_of
//     kernel c2d        X.pad read, W read, Y written
#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/ir/program/program.h"
#include "core/ir/value/walk.h"

namespace dovetail {

// True for a loop bound to the work-items of a group, not to groups.
bool is_over_work_items(const Loop& loop);

void append(Block& block, Block more);

// Visits every statement, a loop before the statements inside it.
void for_each_statement(const Block& block, const std::function<void(const Statement&)>& visit);
bool any_statement(const Block& block, const std::function<bool(const Statement&)>& holds);
void for_each_store(const Block& block,
                    const std::function<void(const Store&)>& visit);  // in order

// The store of an unrolled loop around a vectorized loop around a plain store, which is a tile of
// rows of vector lanes; null for any other loop.
const Store* tile_store(const Loop& unrolled);

struct Use {
  bool read = false;
  bool written = false;
  friend bool operator==(const Use&, const Use&) = default;
};
using Uses = std::map<std::string, Use, std::less<>>;  // by name, tiles included

// The buffers and tiles that a block reads and writes. Prefetches do not count, because they change
// no value.
Uses uses_of(const Block& block);

}  // namespace dovetail
