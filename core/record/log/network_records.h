// SPDX-License-Identifier: Apache-2.0
#pragma once

// Finds and adds the networks of a log (core/record/line/network_record.h).
//
//   const std::vector<NetworkRecord> kept = kept_networks(log, like);
//   TRY(keep_network("tune.jsonl", record));     one line more

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/record/line/network_record.h"
#include "core/record/log/log.h"

namespace dovetail {

int64_t num_trials(const Log& log);  // including thinned ones

// Whether both have the same graph, variant, exactness, memory limit, target and device.
bool is_of_one(const NetworkRecord& a, const NetworkRecord& b);

// Says that none of its traces has an algorithm that rounds otherwise than the definition's sum.
bool has_exact_traces(const NetworkRecord& network);

// Networks of the log that `like` may take: for each memory limit at least as large as that of
// `like`, the last one that is_of_one() but for the limit. Without a limit first, then from the
// largest limit down: the first that takes no more than `like` may is the fastest known. An exact
// `like` may also take networks that were chosen from all algorithms and have exact traces alone;
// they come behind those that were chosen as exact. Without
// those that were chosen before the log gained trials. (A distilled log has fewer, and its networks
// stay valid.) Unreadable lines are ignored.
std::vector<NetworkRecord> kept_networks(const Log& log, const NetworkRecord& like);

// The first property that no network of the log shares with `like`, to follow "keeps no network":
// " of this model", " for cpu:threads=2", " chosen with --exact", …, and at last " that fits" the
// memory limit. Empty where the log keeps no network at all.
std::string which_is_not_kept(const Log& log, const NetworkRecord& like);

// Fails as keep_network() would now: asked before the long work of choosing a network.
Result<void> check_network_can_be_kept(const std::string& path);

// Appends to the log's last campaign. Error: a log that is compressed, of an older schema, or being
// written.
Result<void> keep_network(const std::string& path, NetworkRecord network);

}  // namespace dovetail
