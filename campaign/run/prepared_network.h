// SPDX-License-Identifier: Apache-2.0
#pragma once

// PreparedNetwork: the state that variants of one model share before any is chosen: its regions,
// the log, the data that they are judged on, and the algorithms that this data allows.
//
//   PreparedNetwork prepared = TRY(read_network(options, {"in"}, target, listener));
//   TRY(choose_variant(prepared, "joint", prepared.log, prepared.parts))
//
// Notes say what is known before anything runs: narrowed types, regions that the log never tried.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "campaign/accuracy/accuracy_rule.h"
#include "campaign/accuracy/network_data.h"
#include "campaign/network/network_sources.h"
#include "campaign/run/network_request.h"
#include "campaign/run/run.h"
#include "campaign/run/variant_run.h"
#include "core/base/result.h"

namespace dovetail {

struct PreparedNetwork : RunSetting {
  SharedLog log;
  Partition parts;
};

// One or several sets of inputs, each in the graph's order.
using InputSets = std::function<Result<std::vector<std::vector<NDArray>>>(const Graph& graph)>;

// Fails on nodes without a computation, which the error lists, and where `inputs` does.
Result<PreparedNetwork> prepare_network(NetworkRequest request, SharedLog log, Partition parts,
                                        const InputSets& inputs, const Target& target,
                                        const Listener& listener);

// The same of files. Each folder of inputs is a set of data; without any, inputs are random. Fails
// on an invalid model or log, too.
Result<PreparedNetwork> read_network(const RunSpecOptions& options,
                                     const std::vector<std::string>& input_folders,
                                     const Target& target, const Listener& listener);
NetworkSources sources_of(const RunSpecOptions& options);

}  // namespace dovetail
