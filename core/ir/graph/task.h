// SPDX-License-Identifier: Apache-2.0
#pragma once

// Task: one distinct region on one target, with its border if one is stated, and its weight, the
// number of nodes of the graph that run it.
//
//   {"conv1", c2d:…+bias+relu, "cpu", 3}      conv1 is the first of three nodes of this spec
//
// Tasks are keyed by the canonical spec, so that two layers of one shape are tuned once. A model's
// tasks come from its partition into regions (core/frontend/partition/region_tasks.h).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/graph/graph.h"
#include "core/ir/graph/suite.h"
#include "core/ir/region/task_spec.h"

namespace dovetail {

struct Task {
  std::string name;  // the first node that runs it
  KeyedTask spec;
  std::string target;  // in the form of print(TargetName)
  int64_t weight = 1;  // nodes that run it
  friend bool operator==(const Task&, const Task&) = default;
};

// Nodes of one operator type that this version cannot compute, all for the same reason.
struct NotTuned {
  std::string type;
  std::string reason;
  std::vector<std::string> nodes;
  friend bool operator==(const NotTuned&, const NotTuned&) = default;
};

struct TaskList {
  std::vector<Task> tasks;          // distinct, in the order of their first node
  std::vector<NotTuned> not_tuned;  // by type and reason, in the order of their first node
  friend bool operator==(const TaskList&, const TaskList&) = default;
};

// One task per entry, even for entries of equal specs, because the user asks for each name.
std::vector<Task> suite_tasks(const Suite& suite, std::string_view target);

// "Conv 2 (a b): rank 1", for one line of a message.
std::string print(const NotTuned& not_tuned);

}  // namespace dovetail
