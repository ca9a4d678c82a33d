// SPDX-License-Identifier: Apache-2.0
#pragma once

// PreparedNetwork: the state that variants of one model share before any is chosen: its regions,
// the log, the data that they are judged on, and the algorithms that this data allows.
//
//   PreparedNetwork prepared = TRY(prepare_network(options, {"in"}, target, listener));
//   const RunSetting setting = setting_of(prepared, options, listener);
//   TRY(choose_variant(setting, "joint", prepared.log, prepared.parts))
//
// Notes say what is known before anything runs: narrowed types, regions that the log never tried.

#include <memory>
#include <string>
#include <vector>

#include "campaign/accuracy/accuracy_rule.h"
#include "campaign/accuracy/network_data.h"
#include "campaign/network/network_sources.h"
#include "campaign/run/run.h"
#include "campaign/run/variant_run.h"
#include "core/base/result.h"

namespace dovetail {

struct PreparedNetwork {
  NetworkSources sources;
  SharedLog log;
  Target target;  // with the properties in the log
  Partition parts;
  std::vector<NetworkData> data;
  std::shared_ptr<AccuracyRule> rule;
  std::vector<int> cores;  // one per thread of the target
  Caches caches = Caches::hot;
};

// Each folder of inputs is a set of data; without any, inputs are random. Fails on an invalid model
// or log, and on nodes without a computation, which the error lists.
Result<PreparedNetwork> prepare_network(const RunSpecOptions& options,
                                        const std::vector<std::string>& input_folders,
                                        const Target& target, const Listener& listener);

// Holds references to its arguments.
RunSetting setting_of(const PreparedNetwork& prepared, const RunSpecOptions& options,
                      const Listener& listener);

}  // namespace dovetail
