// SPDX-License-Identifier: Apache-2.0
#pragma once

// PreparedNetwork: all that variants of one model share before any is chosen: its regions, the log,
// the data that they are judged on, and which algorithms that data allows.
//
//   PreparedNetwork prepared = TRY(prepare_network(options, {"in"}, target, listener));
//   const RunSetting setting = setting_of(prepared, options, listener);
//   TRY(choose_variant(setting, "joint", prepared.log, prepared.parts))
//
// Notes say what is known before anything runs: what is narrowed, what the log never tried.

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
  Target target;  // as the log's campaigns saw it
  Partition parts;
  std::vector<NetworkData> data;
  std::shared_ptr<AccuracyRule> rule;
  std::vector<int> cores;  // that the target's threads run on
  Caches caches = Caches::hot;
};

// Folders of inputs are sets of data; without any it is random numbers. The error is a model or a
// log that is wrong, or has nodes without a computation, which it lists.
Result<PreparedNetwork> prepare_network(const RunSpecOptions& options,
                                        const std::vector<std::string>& input_folders,
                                        const Target& target, const Listener& listener);

// It refers to all that it is given.
RunSetting setting_of(const PreparedNetwork& prepared, const RunSpecOptions& options,
                      const Listener& listener);

}  // namespace dovetail
