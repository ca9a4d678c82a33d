// SPDX-License-Identifier: Apache-2.0
//
// TaskSpec: what is tuned, as tasks, logs and messages name it: a region, and its border where one
// is stated.
//
//     c2d:ci=64,co=64,h=56,w=56,k=3,p=1+relu
//     c2d:ci=64,co=64,h=56,w=56,k=3,p=1+relu | X as plain; Y as plain
//     B[a,b]=A[a,b]/(1+exp(-A[a,b])):a=128,b=128
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
  Region region;
  Border border;

  TaskSpec() = default;
  // A region alone is a task with nothing stated at its border, and so is an operator.
  TaskSpec(Region own, Border stated = {})  // NOLINT(google-explicit-constructor)
      : region(std::move(own)), border(std::move(stated)) {}
  TaskSpec(const Operator& op, Border stated = {})  // NOLINT(google-explicit-constructor)
      : TaskSpec(region_of(op), std::move(stated)) {}
  friend bool operator==(const TaskSpec&, const TaskSpec&) = default;
};

std::string print(const TaskSpec& spec);
// Canonical, whatever a written region's tensors and axes are called (core/ir/region/canonical.h).
Result<TaskSpec> parse_task_spec(std::string_view text);

}  // namespace dovetail
