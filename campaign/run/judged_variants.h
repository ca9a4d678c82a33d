// SPDX-License-Identifier: Apache-2.0
#pragma once

// Variants of a model, loaded and checked until all are within the bound of accuracy.
//
//   VariantRuns runs;
//   runs.push_back(TRY(choose_variant(setting, "joint", log, parts)));
//   const DistinctRuns first = TRY(load_within_bound(runs, again, rule));
//   first[0]->is_right()
//
// An algorithm that was further off than the bound on its real operands is refused from then on,
// and all is chosen again: so it ends, with the definition's sums at the latest.
//
// Why apart from run_network: a package must hold what `run` runs, so it is found in the same way.

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

// None where nobody asked for one: then it depends on what the log keeps.
using AskedVariant = std::optional<std::string>;

using VariantRuns = std::vector<std::unique_ptr<VariantRun>>;
using DistinctRuns = std::vector<VariantRun*>;

// The last one of a model may take the partition and the log itself.
Result<std::unique_ptr<VariantRun>> choose_variant(const RunSetting& setting,
                                                   const AskedVariant& variant, SharedLog log,
                                                   Partition parts);
// The same with model and log read again.
Result<std::unique_ptr<VariantRun>> choose_variant(const RunSetting& setting,
                                                   const AskedVariant& variant,
                                                   const NetworkSources& sources);

using MakeVariant = std::function<Result<std::unique_ptr<VariantRun>>(const AskedVariant& variant)>;

// In the thread that runs them, as whoever loads a network is pinned to its cores. It gives the
// first run of the same network for each: `global` often chooses what `joint` is, and only
// that one is loaded. Where calls or whole networks were beyond the bound, all are made again
// without their algorithms: what one variant learns holds for the others.
Result<DistinctRuns> load_within_bound(VariantRuns& runs, const MakeVariant& make,
                                       AccuracyRule& rule);

}  // namespace dovetail
