// SPDX-License-Identifier: Apache-2.0
#pragma once

// TaskAccuracy: the algorithms that a campaign's tasks may use on their input data, and that data,
// on which candidates are checked.
//
//   Workloads workloads = TRY(read_workloads({"resnet18.onnx"}, "cpu", …, ConstantNumbers::kept));
//   const TaskAccuracy accuracy = TRY(task_accuracy(workloads, {.inputs = inputs}));
//   accuracy.rule->allows(task, algorithm::Winograd{4})
//   accuracy.own_inputs(region)     the constants of the first node that computes it, and what the
//                                   nodes before it make of the model's inputs
//
// A task outside any model has random operands, whose magnitudes estimates know.

#include <memory>
#include <optional>

#include "campaign/accuracy/accuracy_rule.h"
#include "campaign/accuracy/graph_inputs.h"
#include "campaign/workloads.h"
#include "measure/reference/check_data.h"

namespace dovetail {

struct TaskAccuracyOptions {
  bool exact = false;
  std::optional<double> max_error = {};
  InputsOfGraph inputs = {};  // used for models only
};

struct TaskAccuracy {
  std::shared_ptr<AccuracyRule> rule;
  OwnInputs own_inputs;  // empty where no workload is a model
};

// Frees the constants of the workloads' models. Fails on an invalid bound, and where `inputs` does.
Result<TaskAccuracy> task_accuracy(Workloads& workloads, const TaskAccuracyOptions& options);

}  // namespace dovetail
