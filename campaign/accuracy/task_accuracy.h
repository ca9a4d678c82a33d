// SPDX-License-Identifier: Apache-2.0
#pragma once

// TaskAccuracy: of the tasks that a campaign tunes, which algorithms their numbers allow, and those
// numbers, on which candidates are judged.
//
//   Workloads workloads = TRY(read_workloads({"resnet18.onnx"}, "cpu", …, ConstantNumbers::kept));
//   const TaskAccuracy accuracy = TRY(task_accuracy(workloads, {.inputs = "in"}));
//   accuracy.rule->allows(task, algorithm::Winograd{4})
//   accuracy.own_inputs(region)     the constants of the first node that computes it, and what the
//                                   nodes before it make of the model's inputs
//
// A task of no model has operands that are drawn; estimates know their sizes.

#include <memory>
#include <optional>
#include <string>

#include "campaign/accuracy/accuracy_rule.h"
#include "campaign/workloads.h"
#include "measure/reference/check_data.h"

namespace dovetail {

struct TaskAccuracyOptions {
  bool exact = false;
  std::optional<double> max_error = {};
  std::string inputs = {};  // folder of a model's inputs; empty: random ones
  std::vector<std::string> constants =
      {};             // inputs that --constant holds: there is no file of them
  uint64_t seed = 0;  // of these
};

struct TaskAccuracy {
  std::shared_ptr<AccuracyRule> rule;
  OwnInputs own_inputs;  // empty where no workload is a model
};

// Constants of the workloads' models are let go of. The error is a bound that is none, or inputs
// that do not fit, or that are for several models.
Result<TaskAccuracy> task_accuracy(Workloads& workloads, const TaskAccuracyOptions& options);

}  // namespace dovetail
