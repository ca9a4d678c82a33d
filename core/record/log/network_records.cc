// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/network_records.h"

#include <algorithm>

#include "core/record/log/log_writer.h"

namespace dovetail {
bool is_of_one(const NetworkRecord& a, const NetworkRecord& b) {
  return a.graph == b.graph && a.variant == b.variant && a.exact == b.exact &&
         a.memory_limit_bytes == b.memory_limit_bytes && a.target == b.target &&
         a.device == b.device;
}

int64_t num_trials(const Log& log) {
  return log.num_thinned + std::ranges::count(log.records, RecordKind::trial, &Record::kind);
}

std::optional<NetworkRecord> kept_network(const Log& log, const NetworkRecord& like) {
  const int64_t trials = num_trials(log);
  std::optional<NetworkRecord> kept;
  for (const OtherLine& line : log.others) {
    if (line.kind != kNetworkKind) continue;
    const Result<NetworkRecord> network = parse_network_record(line.object);
    if (network && is_of_one(*network, like) && network->trials >= trials) kept = *network;
  }
  return kept;
}

Result<void> keep_network(const std::string& path, NetworkRecord network) {
  LogWriter writer = TRY(open_last_campaign(path));
  network.campaign = writer.header().campaign;
  TRY(writer.append(print(network)));
  return writer.sync();
}

}  // namespace dovetail
