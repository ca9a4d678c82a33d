// SPDX-License-Identifier: Apache-2.0
#pragma once

// region_tasks: the tuning tasks of a network: its distinct regions, products or not.
//
//   const TaskList list = TRY(region_tasks(TRY(partition(graph)), "cpu"));
//   list.tasks[0]      {"conv1", c2d:…+bias+relu, "cpu", 3}       conv1 is the first of three nodes
//   list.tasks[1]      {"pool1", B[a,b,c,d]max=A[…]:…, "cpu", 1}
//   list.not_tuned[0]  {"NonZero", "an output whose shape depends on data", {"nz"}}
//
// Views, which compute nothing, are in neither list.

#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/frontend/partition/partition.h"
#include "core/ir/graph/task.h"

namespace dovetail {

// The nodes that this version cannot compute, grouped by type and reason, in the order of each
// group's first node.
std::vector<NotTuned> not_computed(const Partition& partition);

// Tasks in the order of their first node, and not_computed().
Result<TaskList> region_tasks(const Partition& partition, std::string_view target);

}  // namespace dovetail
