// SPDX-License-Identifier: Apache-2.0
#pragma once

// Finds and adds the networks of a log (core/record/line/network_record.h).
//
//   const std::optional<NetworkRecord> kept = kept_network(log, like);
//   TRY(keep_network("tune.jsonl", record));     one line more

#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/record/line/network_record.h"
#include "core/record/log/log.h"

namespace dovetail {

int64_t num_trials(const Log& log);  // including thinned ones

// Whether both have the same graph, variant, exactness, memory limit, target and device.
bool is_of_one(const NetworkRecord& a, const NetworkRecord& b);

// The last network of the log for which is_of_one() with `like` holds, unless the log has gained
// trials since it was chosen. (A distilled log has fewer, and its network stays valid.) Unreadable
// lines are ignored.
std::optional<NetworkRecord> kept_network(const Log& log, const NetworkRecord& like);

// Appends to the log's last campaign. Error: a log that is compressed, of an older schema, or being
// written.
Result<void> keep_network(const std::string& path, NetworkRecord network);

}  // namespace dovetail
