// SPDX-License-Identifier: Apache-2.0
//
// TaskSpec: the subject of a tuning task, which names it in logs and messages: a region, and its
// border if one is stated.
//
//     c2d:ci=64,co=64,h=56,w=56,k=3,p=1+relu
//     c2d:ci=64,co=64,h=56,w=56,k=3,p=1+relu | X as row_major; Y as row_major
//     B[a,b]=A[a,b]/(1+exp(-A[a,b])):a=128,b=128
//
// One region with two borders makes two tasks: the fastest trace between blocked neighbours is not
// the fastest one between row-major neighbours.
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
  // Implicit: a region or an operator alone is a task with a free border.
  TaskSpec(Region own, Border stated = {})  // NOLINT(google-explicit-constructor)
      : region(std::move(own)), border(std::move(stated)) {}
  TaskSpec(const Operator& op, Border stated = {})  // NOLINT(google-explicit-constructor)
      : TaskSpec(region_of(op), std::move(stated)) {}
  friend bool operator==(const TaskSpec&, const TaskSpec&) = default;
};

std::string print(const TaskSpec& spec);

// A spec with its text, by which logs and maps know a task; printed once. A changed spec needs a
// new KeyedTask.
struct KeyedTask : TaskSpec {
  std::string text;

  KeyedTask() = default;
  explicit(false) KeyedTask(TaskSpec spec)
      : TaskSpec(std::move(spec)), text(dovetail::print(static_cast<const TaskSpec&>(*this))) {}
  explicit(false) KeyedTask(Region own, Border stated = {})
      : KeyedTask(TaskSpec(std::move(own), std::move(stated))) {}
  explicit(false) KeyedTask(const Operator& op, Border stated = {})
      : KeyedTask(TaskSpec(op, std::move(stated))) {}
};

inline const std::string& print(const KeyedTask& task) { return task.text; }

// The result is canonical: independent of a written region's names (core/ir/region/canonical.h).
Result<KeyedTask> parse_task_spec(std::string_view text);

}  // namespace dovetail
