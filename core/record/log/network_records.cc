// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/network_records.h"

#include <algorithm>
#include <limits>
#include <map>
#include <ranges>
#include <utility>

#include "core/ir/schedule/trace.h"
#include "core/record/log/log_writer.h"

namespace dovetail {
namespace {

std::vector<NetworkRecord> readable_networks(const Log& log) {
  std::vector<NetworkRecord> networks;
  for (const OtherLine& line : log.others)
    if (line.kind == kNetworkKind)
      if (Result<NetworkRecord> network = parse_network_record(line.object))
        networks.push_back(*std::move(network));
  return networks;
}

bool is_as_exact(const NetworkRecord& network, const NetworkRecord& like) {
  return network.exact == like.exact || (like.exact && has_exact_traces(network));
}

}  // namespace

bool has_exact_traces(const NetworkRecord& network) {
  return std::ranges::all_of(network.nodes, [](const NodeOfNetwork& node) {
    if (node.trace.empty()) return true;
    const Result<Trace> trace = parse_trace(node.trace);
    return trace && !trace->algorithm;
  });
}

bool is_of_one(const NetworkRecord& a, const NetworkRecord& b) {
  return a.graph == b.graph && a.variant == b.variant && a.exact == b.exact &&
         a.memory_limit_bytes == b.memory_limit_bytes && a.target == b.target &&
         a.device == b.device;
}

int64_t num_trials(const Log& log) {
  return log.num_thinned + std::ranges::count(log.records, RecordKind::trial, &Record::kind);
}

std::vector<NetworkRecord> kept_networks(const Log& log, const NetworkRecord& like) {
  const auto limit_of = [](const NetworkRecord& network) {
    return network.memory_limit_bytes.value_or(std::numeric_limits<int64_t>::max());
  };
  const int64_t trials = num_trials(log);
  // By whether they were chosen as `like` is, and by limit.
  std::map<std::pair<bool, int64_t>, NetworkRecord, std::greater<>> kept;
  for (NetworkRecord& network : readable_networks(log)) {
    if (network.trials < trials || limit_of(network) < limit_of(like)) continue;
    NetworkRecord alike = like;
    alike.memory_limit_bytes = network.memory_limit_bytes;
    if (is_as_exact(network, like)) alike.exact = network.exact;
    if (is_of_one(network, alike))
      kept.insert_or_assign(std::pair(network.exact == like.exact, limit_of(network)),
                            std::move(network));
  }
  const auto networks = std::views::values(kept);
  return {networks.begin(), networks.end()};
}

std::string which_is_not_kept(const Log& log, const NetworkRecord& like) {
  std::vector<NetworkRecord> left = readable_networks(log);
  if (left.empty()) return "";
  const auto no_more_with = [&](const auto& has) {
    std::erase_if(left, [&](const NetworkRecord& network) { return !has(network); });
    return left.empty();
  };
  if (no_more_with([&](const auto& one) { return one.graph == like.graph; }))
    return " of this model";
  if (no_more_with([&](const auto& one) { return one.target == like.target; }))
    return " for " + like.target;
  if (no_more_with([&](const auto& one) { return one.device == like.device; }))
    return " for " + like.device;
  if (no_more_with([&](const auto& one) { return is_as_exact(one, like); }))
    return like.exact ? " chosen with --exact" : " chosen without --exact";
  const int64_t trials = num_trials(log);
  if (no_more_with([&](const auto& one) { return one.trials >= trials; }))
    return " chosen since its last trial";
  return " that fits";
}

Result<void> check_network_can_be_kept(const std::string& path) {
  TRY(open_last_campaign(path));
  return {};
}

Result<void> keep_network(const std::string& path, NetworkRecord network) {
  LogWriter writer = TRY(open_last_campaign(path));
  network.campaign = writer.header().campaign;
  TRY(writer.append(print(network)));
  return writer.sync();
}

}  // namespace dovetail
