// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkLayouts: how the tensors of a model are stored between its regions, call by call, and what
// the log says that each call takes: what `dovetail show MODEL --what layout` prints.
//
//   call           with          time (us)  layouts
//   convert.input                     28.0  input plain -> 2@1:224 3@1:224 1@1:3
//   conv1          relu               2054  input 2@1:224 3@1:224 1@1:3 -> conv1.relu 1@16:4 …
//   maxpool                           93.0  conv1.relu 1@16:4 … -> maxpool.output 1@16:4 …
//
// A form is that of core/ir/layout/normal_form.h, of dimensions 0, 1, … of the graph's tensor.

#include <optional>
#include <string>
#include <vector>

#include "campaign/inspect.h"
#include "core/base/result.h"

namespace dovetail {

struct CallLayouts {
  std::string call;
  std::string joined;  // nodes that run inside it
  bool is_conversion = false;
  std::optional<double> seconds;  // of the log's record of its task
  std::string given, made;        // each tensor with its form
};

// With `log`, its best traces, else default ones; of any variant but `global`, which only a
// measurement decides.
Result<std::vector<CallLayouts>> network_layouts(const InspectOptions& options);

}  // namespace dovetail
