// SPDX-License-Identifier: Apache-2.0
#pragma once

// Contents of the handles of models and tasks.

#include <string>
#include <vector>

#include "core/ir/graph/graph.h"
#include "core/ir/graph/task.h"
#include "dovetail/model.h"
#include "dovetail/task.h"

namespace dovetail::api {

struct Model::Data {
  std::string name;
  Graph graph;
  std::vector<TensorInfo> inputs, outputs;
};

struct Task::Data {
  dovetail::Task task;
};

}  // namespace dovetail::api
