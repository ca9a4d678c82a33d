// SPDX-License-Identifier: Apache-2.0
#include "campaign/bench/bench_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "core/base/statistics.h"
#include "primitives/algorithm/roof.h"

namespace dovetail {
namespace {

using OptionalSeconds = std::optional<double>;

bool is_valid(const BenchRow& row) { return row.times.ours.status == Status::ok; }

const Region& region_of(const BenchRow& row) { return row.task->space->task.spec.region; }

// An anchor is a sum of products.
bool multiplies(const BenchRow& row) { return !region_of(row).anchor.empty(); }

class Fastest {
 public:
  void offer(const std::string& peer, const OptionalSeconds& seconds) {
    if (!seconds || (seconds_ && *seconds_ <= *seconds)) return;
    seconds_ = seconds;
    peer_ = peer;
  }
  OptionalSeconds over(const OptionalSeconds& ours) const {
    return seconds_ && ours ? OptionalSeconds(*seconds_ / *ours) : std::nullopt;
  }
  const std::string& peer() const { return peer_; }

 private:
  std::string peer_;
  OptionalSeconds seconds_;
};

// Over the rows that have the ratio.
template <typename RatioOf>
OptionalSeconds geomean(const std::vector<BenchRatios>& rows, const RatioOf& ratio_of) {
  std::vector<double> ratios;
  for (const BenchRatios& row : rows)
    if (const OptionalSeconds ratio = std::invoke(ratio_of, row)) ratios.push_back(*ratio);
  return ratios.empty() ? std::nullopt : std::optional(geometric_mean(ratios));
}

}  // namespace

BenchRatios ratios_of(const BenchRow& row) {
  Fastest best, row_major, direct;
  for (const auto& [name, peer] : row.times.peers) {
    best.offer(name, peer.free);
    row_major.offer(name, peer.row_major);
    direct.offer(name, peer.direct);
  }
  for (const ExternalTime& time : row.external) {
    best.offer(time.peer, time.seconds);
    if (time.algorithm == "direct") direct.offer(time.peer, time.seconds);
  }
  const OptionalSeconds ours = our_seconds(row);
  BenchRatios ratios{.best_peer = best.peer(),
                     .ratio = best.over(ours),
                     .row_major = row_major.over(row.times.row_major),
                     .direct = direct.over(row.times.direct)};
  Fastest best_beside;
  for (const BesideRow& beside : row.beside) {
    const OptionalSeconds seconds = seconds_of(beside);
    ratios.beside[beside.name] = seconds && ours ? OptionalSeconds(*seconds / *ours) : std::nullopt;
    best_beside.offer(beside.name, seconds);
  }
  ratios.best_beside = best_beside.peer();
  ratios.of_best_beside = best_beside.over(ours);
  return ratios;
}

BenchRatios geomeans_of(const BenchReport& report) {
  std::vector<BenchRatios> ratios;
  for_each_asked(*report.recorded, [&](const std::string&, size_t index, int64_t) {
    ratios.push_back(ratios_of(report.rows[index]));
  });
  BenchRatios means{.best_peer = {},
                    .ratio = geomean(ratios, &BenchRatios::ratio),
                    .row_major = geomean(ratios, &BenchRatios::row_major),
                    .direct = geomean(ratios, &BenchRatios::direct)};
  for (const std::string& name : report.beside) {
    means.beside[name] =
        geomean(ratios, [&](const BenchRatios& row) { return row.beside.at(name); });
  }
  means.of_best_beside = geomean(ratios, &BenchRatios::of_best_beside);
  return means;
}

OptionalSeconds our_seconds(const BenchRow& row) {
  return is_valid(row) ? OptionalSeconds(row.times.ours.seconds) : std::nullopt;
}

OptionalSeconds peer_seconds(const BenchRow& row, const std::string& peer) {
  const auto found = row.times.peers.find(peer);
  if (found != row.times.peers.end()) return found->second.free;
  for (const ExternalTime& time : row.external)
    if (time.peer == peer) return time.seconds;
  return std::nullopt;
}

OptionalSeconds seconds_of(const BesideRow& beside) {
  const bool is_timed = beside.task != nullptr && beside.result.status == Status::ok;
  return is_timed ? OptionalSeconds(beside.result.seconds) : std::nullopt;
}

OptionalSeconds gflops_of(const BenchRow& row) {
  return multiplies(row) ? nominal_gflops(region_of(row), our_seconds(row)) : std::nullopt;
}

std::optional<double> gbytes_per_second_of(const BenchRow& row) {
  return operand_gbytes_per_second(region_of(row), our_seconds(row));
}

OptionalSeconds percent_of_peak_of(const BenchRow& row, const Machine& machine) {
  return percent_of_peak(machine, region_of(row), our_seconds(row));
}

std::vector<std::string> problems_of(const BenchRow& row) {
  const std::string& name = row.task->space->task.name;
  std::vector<std::string> lines;
  std::map<std::string, std::vector<std::string>> peers_by_reason;
  for (const auto& [peer, times] : row.times.peers)
    if (!times.reason.empty()) peers_by_reason[times.reason].push_back(peer);
  for (const auto& [reason, peers] : peers_by_reason)
    lines.push_back(fmt::format("{}: {}: {}", name, fmt::join(peers, ", "), reason));
  for (const auto& [peer, times] : row.times.peers)
    for (const std::string& line : times.choice.rejected)
      lines.push_back(fmt::format("{}: {}: not used: {}", name, peer, line));
  for (const auto& [beside, result] : row.times.beside) {
    if (result.status == Status::ok) continue;
    lines.push_back(
        fmt::format("{}: {}: {}: {}", name, beside, print(result.status), result.reason));
  }
  const MeasureResult& ours = row.times.ours;
  if (!is_valid(row))
    lines.push_back(fmt::format("{}: {}: {}", name, print(ours.status), ours.reason));
  return lines;
}

}  // namespace dovetail
