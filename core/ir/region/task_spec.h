// SPDX-License-Identifier: Apache-2.0
//
// TaskSpec: what is tuned, as tasks, logs and messages name it: a region, and its border where one
// is stated.
//
//     c2d:ci=64,co=64,h=56,w=56,k=3,p=1+relu
//     c2d:ci=64,co=64,h=56,w=56,k=3,p=1+relu | X as plain; Y as plain
//
// Two tasks of one region with different borders are different tasks: what is fast between blocked
// neighbours is not what is fast between row-major ones.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"
#include "core/ir/region/border.h"
#include "core/ir/region/region.h"

namespace dovetail {

struct TaskSpec {
  Operator op;
  Border border;

  // An operator alone is a task with nothing stated at its border.
  TaskSpec(Operator own, Border stated = {})  // NOLINT(google-explicit-constructor)
      : op(std::move(own)), border(std::move(stated)) {}
  friend bool operator==(const TaskSpec&, const TaskSpec&) = default;
};

std::string print(const TaskSpec& spec);
Result<TaskSpec> parse_task_spec(std::string_view text);

// The task of the operator with every tensor in framework layout.
Result<TaskSpec> with_framework_border(const Operator& op);

}  // namespace dovetail
