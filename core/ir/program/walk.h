// SPDX-License-Identifier: Apache-2.0
//
// Walks over values and blocks: what checks, passes and emitters of programs share.
//
//     max(acc[w] + bias[o], 0)   has the nodes   acc[w], bias[o], acc[w] + bias[o], 0, max(…)
//
// Why functions and not a visitor class: a walk asks for one or two kinds of nodes, and `get_if` in
// a lambda says which.
#pragma once

#include <functional>
#include <optional>

#include "core/ir/program/program.h"

namespace dovetail {

// Each node after its operands; those of a select are `then` and `otherwise`.
void for_each_node(const Value& value, const std::function<void(const Value&)>& visit);
void for_each_load(const Value& value, const std::function<void(const Load&)>& visit);

// A value rebuilt from the bottom; `rewrite` gets each node after its operands, and gives nothing
// where the node stays: what nobody changes is shared, not copied.
using Rewrite = std::function<std::optional<Value>(const Value&)>;
Value rebuilt(const Value& value, const Rewrite& rewrite);

// The number 0, or a product with it, which need not be computed.
bool is_zero(const Value& value);

// Over the work-items of a group, not over groups.
bool is_over_work_items(const Loop& loop);

void append(Block& block, Block more);

}  // namespace dovetail
