// SPDX-License-Identifier: Apache-2.0
#pragma once

// network_layouts: the layouts of a model's tensors between its regions and the time of each call,
// as `dovetail show MODEL --what layout` prints them.
//
//   call           with          time (us)  layouts
//   convert.input                     28.0  input plain -> 2@1:224 3@1:224 1@1:3
//   conv1          relu               2054  input 2@1:224 3@1:224 1@1:3 -> conv1.relu 1@16:4 …
//   maxpool                           93.0  conv1.relu 1@16:4 … -> maxpool.output 1@16:4 …
//
// Seconds are those of the log's best record of a task; in a network that the log keeps (variant
// `global`), those of the call within it.

#include <vector>

#include "campaign/inspect.h"
#include "campaign/listener.h"
#include "core/base/result.h"
#include "core/record/line/network_record.h"

namespace dovetail {

// Uses the best traces of `log`, or default ones without it. Variant `global` is decided by
// measurements: fails if the log keeps no network of this exactness and memory limit. Without a
// variant, takes the network that `run` would: the one that the log keeps, else `joint`.
Result<std::vector<CallOfNetwork>> network_layouts(const InspectOptions& options,
                                                   const Listener& listener);

}  // namespace dovetail
