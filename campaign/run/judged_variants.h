// SPDX-License-Identifier: Apache-2.0
#pragma once

// Variants of a model, loaded and checked until all are within the accuracy bound.
//
//   VariantRuns runs;
//   runs.push_back(TRY(choose_variant(setting, "joint", log, parts)));
//   const DistinctRuns first = TRY(load_within_bound(runs, again, rule));
//   first[0]->is_right()
//
// An algorithm whose error on real operands exceeds the bound is refused from then on, and all
// variants are chosen again. This terminates, with the definition's sums at the latest.
//
// Separate from run_network, because `build` must find the network that `run` runs.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/accuracy/accuracy_rule.h"
#include "campaign/network/network_sources.h"
#include "campaign/run/variant_run.h"
#include "core/base/result.h"

namespace dovetail {

// None if the user asked for none: then the log decides.
using AskedVariant = std::optional<std::string>;

using VariantRuns = std::vector<std::unique_ptr<VariantRun>>;
using DistinctRuns = std::vector<VariantRun*>;

// By value, so that the last variant of a model can take over the partition and the log.
Result<std::unique_ptr<VariantRun>> choose_variant(const RunSetting& setting,
                                                   const AskedVariant& variant, SharedLog log,
                                                   Partition parts);
// The same with model and log read again.
Result<std::unique_ptr<VariantRun>> choose_variant(const RunSetting& setting,
                                                   const AskedVariant& variant,
                                                   const NetworkSources& sources);

using MakeVariant = std::function<Result<std::unique_ptr<VariantRun>>(const AskedVariant& variant)>;

// Call it in the thread that runs the networks: loading one pins the thread to its cores. Returns
// for each run the first with the same network, and loads only that one: `global` often chooses
// what `joint` is. If calls or whole networks exceed the bound, makes all variants again without
// their algorithms: the rule is shared.
Result<DistinctRuns> load_within_bound(VariantRuns& runs, const MakeVariant& make,
                                       AccuracyRule& rule);

}  // namespace dovetail
