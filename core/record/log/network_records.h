// SPDX-License-Identifier: Apache-2.0
#pragma once

// Networks that a log keeps (core/record/line/network_record.h), found and added.
//
//   const std::optional<NetworkRecord> kept = kept_network(log, like);
//   TRY(keep_network("tune.jsonl", record));     one line more

#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/record/line/network_record.h"
#include "core/record/log/log.h"

namespace dovetail {

int64_t num_trials(const Log& log);  // those that thinning left out count

// It says that both are of one graph, variant, exactness, memory limit, target and device.
bool is_of_one(const NetworkRecord& a, const NetworkRecord& b);

// The last one of what is_of_one() compares, as `like` has it, unless the log has learnt more
// since: has more trials. (A distilled log has fewer, and its network holds.) A line that cannot be
// read counts as none.
std::optional<NetworkRecord> kept_network(const Log& log, const NetworkRecord& like);

// The line joins the log's last campaign. The error is a log that is compressed, of an older
// schema, or being written.
Result<void> keep_network(const std::string& path, NetworkRecord network);

}  // namespace dovetail
