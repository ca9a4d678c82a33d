// SPDX-License-Identifier: Apache-2.0
//
// Walks over blocks: what checks, passes and emitters of programs share (those over values are in
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

// Over the work-items of a group, not over groups.
bool is_over_work_items(const Loop& loop);

void append(Block& block, Block more);

// Every statement is visited, a loop before those inside it.
void for_each_statement(const Block& block, const std::function<void(const Statement&)>& visit);
bool any_statement(const Block& block, const std::function<bool(const Statement&)>& holds);
void for_each_store(const Block& block,
                    const std::function<void(const Store&)>& visit);  // in order

// The store of an unrolled loop around lanes and nothing else: a tile of rows. Null: it is another
// loop.
const Store* tile_store(const Loop& unrolled);

struct Use {
  bool read = false;
  bool written = false;
  friend bool operator==(const Use&, const Use&) = default;
};
using Uses = std::map<std::string, Use, std::less<>>;  // by name, tiles included

// Says which buffers and tiles a block reads and writes. Prefetches are no uses: they change
// nothing, whatever lies there.
Uses uses_of(const Block& block);

}  // namespace dovetail
