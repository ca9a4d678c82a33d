// SPDX-License-Identifier: Apache-2.0
#include "campaign/bench/bench_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "campaign/indented_json.h"
#include "core/base/statistics.h"
#include "core/ir/region/work.h"
#include "core/record/line/log_header.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

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

// The value is null if the --beside log lacks the task.
Json beside_of(const BenchRow& row, const BenchRatios& ratios) {
  Json json = Json::object();
  for (const BesideRow& beside : row.beside) {
    if (beside.task == nullptr) {
      json[beside.name] = Json();
      continue;
    }
    const RecordMatch& match = beside.task->match;
    json[beside.name] = {{"seconds", or_null(seconds_of(beside))},
                         {"algorithm", beside.algorithm},
                         {"match", print(match.level)},
                         {"record", or_null(match.name)},
                         {"ratio", or_null(ratios.beside.at(beside.name))},
                         {"status", print(beside.result.status)}};
  }
  return json;
}

Json name_of(const std::optional<ChosenImplementation>& chosen) {
  return chosen ? Json(chosen->name) : Json();
}

Json details_of(const BenchRow& row) {
  Json details = Json::object();
  for (const auto& [name, peer] : row.times.peers) {
    details[name] = {{"version", peer.version},
                     {"seconds", or_null(peer.free)},
                     {"implementation", name_of(peer.choice.free)},
                     {"algorithm", peer.choice.free ? Json(peer.choice.free->algorithm) : Json()},
                     {"plain_seconds", or_null(peer.plain)},
                     {"plain_implementation", name_of(peer.choice.plain)},
                     {"direct_seconds", or_null(peer.direct)},
                     {"direct_implementation", name_of(peer.choice.direct)},
                     {"max_rel_error", peer.choice.max_rel_error},
                     {"reason", or_null(peer.reason)},
                     {"rejected", peer.choice.rejected}};
  }
  return details;
}

Json row_of(const std::string& name, const BenchRow& row, const BenchReport& report) {
  const Region& region = region_of(row);
  const OptionalSeconds seconds = our_seconds(row);
  const BenchRatios ratios = ratios_of(row);
  const MeasureResult& ours = row.times.ours;
  const RecordMatch& match = row.task->match;
  Json peers = Json::object();
  for (const std::string& peer : report.peers) peers[peer] = or_null(peer_seconds(row, peer));
  Json json{{"name", name},
            {"spec", row.task->space->task.spec.text},
            {"seconds", or_null(seconds)},
            {"gflops", or_null(gflops_of(row))},
            {"gbytes_per_second", or_null(gbytes_per_second_of(row))},
            {"percent_of_peak", or_null(percent_of_peak_of(row, report.machine))},
            {"percent_of_roof",
             or_null(percent_of_roof(report.machine, region, row.task->candidate.trace, seconds))},
            {"algorithm", row.algorithm},
            {"peers", std::move(peers)},
            {"best_peer", or_null(ratios.best_peer)},
            {"ratio", or_null(ratios.ratio)},
            {"ratio_plain", or_null(ratios.plain)},
            {"ratio_direct", or_null(ratios.direct)},
            {"plain_seconds", or_null(row.times.plain)},
            {"plain_reason", or_null(row.times.plain ? std::string() : row.times.plain_reason)},
            {"direct_seconds", or_null(row.times.direct)},
            {"max_abs_error", is_valid(row) ? Json(ours.max_abs_error) : Json()},
            {"max_rel_error", is_valid(row) ? Json(ours.max_rel_error) : Json()},
            {"status", print(ours.status)},
            {"match", print(match.level)},
            {"record", or_null(match.name)},
            {"peer_details", details_of(row)}};
  if (report.beside.empty()) return json;
  json["beside"] = beside_of(row, ratios);
  json["best_beside"] = or_null(ratios.best_beside);
  json["ratio_best_beside"] = or_null(ratios.of_best_beside);
  return json;
}

}  // namespace

BenchRatios ratios_of(const BenchRow& row) {
  Fastest best, plain, direct;
  for (const auto& [name, peer] : row.times.peers) {
    best.offer(name, peer.free);
    plain.offer(name, peer.plain);
    direct.offer(name, peer.direct);
  }
  for (const ExternalTime& time : row.external) {
    best.offer(time.peer, time.seconds);
    if (time.algorithm == "direct") direct.offer(time.peer, time.seconds);
  }
  const OptionalSeconds ours = our_seconds(row);
  BenchRatios ratios{.best_peer = best.peer(),
                     .ratio = best.over(ours),
                     .plain = plain.over(row.times.plain),
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
  for_each_asked(*report.recorded, [&](const std::string&, size_t index) {
    ratios.push_back(ratios_of(report.rows[index]));
  });
  BenchRatios means{.best_peer = {},
                    .ratio = geomean(ratios, &BenchRatios::ratio),
                    .plain = geomean(ratios, &BenchRatios::plain),
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
  const OptionalSeconds seconds = our_seconds(row);
  if (!seconds || !multiplies(row)) return std::nullopt;
  return nominal_flops(region_of(row)) / *seconds * 1e-9;
}

std::optional<double> gbytes_per_second_of(const BenchRow& row) {
  const OptionalSeconds seconds = our_seconds(row);
  if (!seconds || multiplies(row)) return std::nullopt;
  return static_cast<double>(operand_bytes(region_of(row))) / *seconds * 1e-9;
}

OptionalSeconds percent_of_peak_of(const BenchRow& row, const Machine& machine) {
  if (!multiplies(row)) return std::nullopt;
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

std::string json_text(const BenchReport& report) {
  const Target& target = report.recorded->target;
  Json rows = Json::array();
  for_each_asked(*report.recorded, [&](const std::string& name, size_t index) {
    rows.push_back(row_of(name, report.rows[index], report));
  });
  const BenchRatios means = geomeans_of(report);
  Json json{{"target", print(target.name)},
            {"device", facets_of(target).name},
            {"threads", target.name.threads},
            {"caches", print(report.caches)},
            {"peak_gflops", or_null(report.machine.peak_gflops)},
            {"rows", std::move(rows)},
            {"geomean_ratio", or_null(means.ratio)},
            {"geomean_ratio_direct", or_null(means.direct)},
            {"geomean_ratio_plain", or_null(means.plain)}};
  if (!report.beside.empty()) {
    Json geomeans = Json::object();
    for (const std::string& name : report.beside) geomeans[name] = or_null(means.beside.at(name));
    json["geomean_beside"] = std::move(geomeans);
    json["geomean_best_beside"] = or_null(means.of_best_beside);
  }
  return indented_json(json);
}

}  // namespace dovetail
