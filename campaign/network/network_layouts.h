// SPDX-License-Identifier: Apache-2.0
#pragma once

// network_layouts: how the tensors of a model are stored between its regions, call by call, and
// what each call takes: what `dovetail show MODEL --what layout` prints.
//
//   call           with          time (us)  layouts
//   convert.input                     28.0  input plain -> 2@1:224 3@1:224 1@1:3
//   conv1          relu               2054  input 2@1:224 3@1:224 1@1:3 -> conv1.relu 1@16:4 …
//   maxpool                           93.0  conv1.relu 1@16:4 … -> maxpool.output 1@16:4 …
//
// Seconds are those of the log's best record of a task; of a network that the log keeps (variant
// `global`), what each call took in it.

#include <vector>

#include "campaign/inspect.h"
#include "campaign/listener.h"
#include "core/base/result.h"
#include "core/record/line/network_record.h"

namespace dovetail {

// With `log`, its best traces, else default ones. Variant `global` is decided by measurements: the
// error is a log that keeps none, of this exactness and memory limit. Without a variant it is the
// network that `run` takes without one: that which the log keeps, else `joint`.
Result<std::vector<CallOfNetwork>> network_layouts(const InspectOptions& options,
                                                   const Listener& listener);

}  // namespace dovetail
