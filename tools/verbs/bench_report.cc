// SPDX-License-Identifier: Apache-2.0
#include "tools/verbs/bench_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "core/record/line/device_facets.h"
#include "report/tables/table.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;
using Seconds = std::optional<double>;

Json json_of(const Seconds& seconds) { return seconds ? Json(*seconds) : Json(); }
Json json_of(const std::string& text) { return text.empty() ? Json() : Json(text); }

bool is_valid(const BenchRow& row) { return row.times.ours.status == Status::ok; }

Seconds our_seconds(const BenchRow& row) {
  return is_valid(row) ? Seconds(row.times.ours.seconds) : std::nullopt;
}

// The free column of one peer, measured here or elsewhere.
Seconds peer_seconds(const BenchRow& row, const std::string& peer) {
  const auto found = row.times.peers.find(peer);
  if (found != row.times.peers.end()) return found->second.free;
  for (const ExternalTime& time : row.external) {
    if (time.peer == peer) return time.seconds;
  }
  return std::nullopt;
}

class Fastest {
 public:
  void offer(const std::string& peer, const Seconds& seconds) {
    if (!seconds || (seconds_ && *seconds_ <= *seconds)) return;
    seconds_ = seconds;
    peer_ = peer;
  }
  Seconds over(const Seconds& ours) const {
    return seconds_ && ours ? Seconds(*seconds_ / *ours) : std::nullopt;
  }
  const std::string& peer() const { return peer_; }

 private:
  std::string peer_;
  Seconds seconds_;
};

// Over the rows that have one.
template <typename RatioOf>
Seconds geomean(const std::vector<BenchRatios>& ratios, const RatioOf& ratio_of) {
  double logs = 0;
  int count = 0;
  for (const BenchRatios& row : ratios) {
    const Seconds ratio = std::invoke(ratio_of, row);
    if (!ratio) continue;
    logs += std::log(*ratio);
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(std::exp(logs / count));
}

Seconds geomean_beside(const std::vector<BenchRatios>& ratios, const std::string& name) {
  return geomean(ratios, [&](const BenchRatios& row) { return row.beside.at(name); });
}

Seconds seconds_of(const BesideRow& beside) {
  const bool is_timed = beside.task != nullptr && beside.result.status == Status::ok;
  return is_timed ? Seconds(beside.result.seconds) : std::nullopt;
}

// null where the log beside lacks the task.
Json beside_of(const BenchRow& row, const BenchRatios& ratios) {
  Json json = Json::object();
  for (const BesideRow& beside : row.beside) {
    if (beside.task == nullptr) {
      json[beside.name] = Json();
      continue;
    }
    const RecordMatch& match = beside.task->match;
    json[beside.name] = {{"seconds", json_of(seconds_of(beside))},
                         {"algorithm", beside.algorithm},
                         {"match", std::string(print(match.level))},
                         {"record", match.best ? Json(match.name) : Json()},
                         {"ratio", json_of(ratios.beside.at(beside.name))},
                         {"status", std::string(print(beside.result.status))}};
  }
  return json;
}

Json json_of(const std::optional<ChosenImplementation>& chosen) {
  return chosen ? Json(chosen->name) : Json();
}

Json details_of(const BenchRow& row) {
  Json details = Json::object();
  for (const auto& [name, peer] : row.times.peers) {
    details[name] = {{"version", peer.version},
                     {"seconds", json_of(peer.free)},
                     {"implementation", json_of(peer.choice.free)},
                     {"algorithm", peer.choice.free ? Json(peer.choice.free->algorithm) : Json()},
                     {"plain_seconds", json_of(peer.plain)},
                     {"plain_implementation", json_of(peer.choice.plain)},
                     {"direct_seconds", json_of(peer.direct)},
                     {"direct_implementation", json_of(peer.choice.direct)},
                     {"max_rel_error", peer.choice.max_rel_error},
                     {"reason", json_of(peer.reason)},
                     {"rejected", peer.choice.rejected}};
  }
  return details;
}

Json row_of(const std::string& name, const BenchRow& row, const BenchReport& report) {
  const Operator& op = row.task->space->task.op;
  const Seconds seconds = our_seconds(row);
  const BenchRatios ratios = ratios_of(row);
  Json json{{"name", name}, {"spec", row.task->space->spec}, {"seconds", json_of(seconds)}};
  json["gflops"] = json_of(seconds ? Seconds(nominal_flops(op) / *seconds * 1e-9) : std::nullopt);
  json["percent_of_peak"] =
      json_of(seconds ? percent_of_peak(report.machine, op, *seconds) : std::nullopt);
  json["percent_of_roof"] =
      json_of(seconds ? percent_of_roof(report.machine, op, *seconds) : std::nullopt);
  json["algorithm"] = row.algorithm;
  Json peers = Json::object();
  for (const std::string& peer : report.peers) peers[peer] = json_of(peer_seconds(row, peer));
  json["peers"] = std::move(peers);
  json["best_peer"] = json_of(ratios.best_peer);
  json["ratio"] = json_of(ratios.ratio);
  json["ratio_plain"] = json_of(ratios.plain);
  json["ratio_direct"] = json_of(ratios.direct);
  json["plain_seconds"] = json_of(row.times.plain);
  json["plain_reason"] = json_of(row.times.plain ? std::string() : row.times.plain_reason);
  json["direct_seconds"] = json_of(row.times.direct);
  json["max_abs_error"] = is_valid(row) ? Json(row.times.ours.max_abs_error) : Json();
  json["max_rel_error"] = is_valid(row) ? Json(row.times.ours.max_rel_error) : Json();
  json["status"] = std::string(print(row.times.ours.status));
  json["match"] = std::string(print(row.task->match.level));
  json["record"] = row.task->match.best ? Json(row.task->match.name) : Json();
  json["peer_details"] = details_of(row);
  if (report.beside.empty()) return json;
  json["beside"] = beside_of(row, ratios);
  json["best_beside"] = json_of(ratios.best_beside);
  json["ratio_best_beside"] = json_of(ratios.of_best_beside);
  return json;
}

std::vector<BenchRatios> all_ratios(const BenchReport& report) {
  std::vector<BenchRatios> ratios;
  for_each_asked(*report.recorded, [&](const std::string&, size_t index) {
    ratios.push_back(ratios_of(report.rows[index]));
  });
  return ratios;
}

std::string ratio_text(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.2f}", *ratio) : "-";
}

std::string percent_text(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f}", *value) : "-";
}

void add_row(const std::string& name, const BenchRow& row, const BenchReport& report,
             Table& table) {
  const Operator& op = row.task->space->task.op;
  const Seconds seconds = our_seconds(row);
  const BenchRatios ratios = ratios_of(row);
  std::vector<std::string> cells = {name};
  cells.push_back(seconds ? microseconds(*seconds) : std::string(print(row.times.ours.status)));
  cells.push_back(
      significant(seconds ? Seconds(nominal_flops(op) / *seconds * 1e-9) : std::nullopt));
  cells.push_back(
      percent_text(seconds ? percent_of_peak(report.machine, op, *seconds) : std::nullopt));
  cells.push_back(
      percent_text(seconds ? percent_of_roof(report.machine, op, *seconds) : std::nullopt));
  cells.push_back(row.algorithm);
  for (const std::string& peer : report.peers) {
    cells.push_back(microseconds(peer_seconds(row, peer)));
  }
  if (!report.peers.empty()) {
    cells.push_back(ratios.best_peer.empty() ? "-" : ratios.best_peer);
    cells.push_back(ratio_text(ratios.ratio));
    cells.push_back(ratio_text(ratios.direct));
    cells.push_back(ratio_text(ratios.plain));
  }
  for (const BesideRow& beside : row.beside) {
    cells.push_back(microseconds(seconds_of(beside)));
    cells.push_back(ratio_text(ratios.beside.at(beside.name)));
  }
  cells.push_back(std::string(print(row.task->match.level)));
  table.add_row(std::move(cells));
}

std::string geomeans_text(const BenchReport& report) {
  const std::vector<BenchRatios> ratios = all_ratios(report);
  std::vector<std::string> parts;
  if (!report.peers.empty()) {
    parts.push_back("ratio " + ratio_text(geomean(ratios, &BenchRatios::ratio)));
    parts.push_back("direct " + ratio_text(geomean(ratios, &BenchRatios::direct)));
    parts.push_back("plain " + ratio_text(geomean(ratios, &BenchRatios::plain)));
  }
  for (const std::string& name : report.beside) {
    parts.push_back("of " + name + " " + ratio_text(geomean_beside(ratios, name)));
  }
  if (report.beside.size() > 1) {
    parts.push_back("of the best of them " +
                    ratio_text(geomean(ratios, &BenchRatios::of_best_beside)));
  }
  if (parts.empty()) return "";
  return fmt::format("geometric means: {}\n", fmt::join(parts, ", "));
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
  const Seconds ours = our_seconds(row);
  BenchRatios ratios{.best_peer = best.peer(),
                     .ratio = best.over(ours),
                     .plain = plain.over(row.times.plain),
                     .direct = direct.over(row.times.direct)};
  Fastest best_beside;
  for (const BesideRow& beside : row.beside) {
    const Seconds seconds = seconds_of(beside);
    ratios.beside[beside.name] = seconds && ours ? Seconds(*seconds / *ours) : std::nullopt;
    best_beside.offer(beside.name, seconds);
  }
  ratios.best_beside = best_beside.peer();
  ratios.of_best_beside = best_beside.over(ours);
  return ratios;
}

std::string short_text(const BenchRow& row) {
  const BenchRatios ratios = ratios_of(row);
  std::string text = is_valid(row) ? microseconds(our_seconds(row)) + " us"
                                   : std::string(print(row.times.ours.status));
  if (ratios.ratio) text += fmt::format(", {:.2f} of {}", *ratios.ratio, ratios.best_peer);
  for (const BesideRow& beside : row.beside) {
    text += fmt::format(", {} of {}", ratio_text(ratios.beside.at(beside.name)), beside.name);
  }
  return text;
}

std::string json_text(const BenchReport& report) {
  const Target& target = report.recorded->target;
  Json rows = Json::array();
  for_each_asked(*report.recorded, [&](const std::string& name, size_t index) {
    rows.push_back(row_of(name, report.rows[index], report));
  });
  const std::vector<BenchRatios> ratios = all_ratios(report);
  Json json{{"target", print(target.name)},
            {"device", facets_of(target).name},
            {"threads", target.name.threads},
            {"peak_gflops", json_of(report.machine.peak_gflops)},
            {"rows", std::move(rows)},
            {"geomean_ratio", json_of(geomean(ratios, &BenchRatios::ratio))},
            {"geomean_ratio_direct", json_of(geomean(ratios, &BenchRatios::direct))},
            {"geomean_ratio_plain", json_of(geomean(ratios, &BenchRatios::plain))}};
  if (!report.beside.empty()) {
    Json geomeans = Json::object();
    for (const std::string& name : report.beside) {
      geomeans[name] = json_of(geomean_beside(ratios, name));
    }
    json["geomean_beside"] = std::move(geomeans);
    json["geomean_best_beside"] = json_of(geomean(ratios, &BenchRatios::of_best_beside));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string table_text(const BenchReport& report) {
  std::vector<Column> columns = {{"task", Align::left}, {"time (us)"}, {"GFLOP/s"},
                                 {"% of peak"},         {"% of roof"}, {"algorithm", Align::left}};
  for (const std::string& peer : report.peers) columns.push_back({peer + " (us)"});
  if (!report.peers.empty()) {
    columns.insert(columns.end(), {{"best peer", Align::left}, {"ratio"}, {"direct"}, {"plain"}});
  }
  for (const std::string& name : report.beside) {
    columns.push_back({name + " (us)"});
    columns.push_back({"of " + name});
  }
  columns.push_back({"match", Align::left});
  Table table(std::move(columns));
  for_each_asked(*report.recorded, [&](const std::string& name, size_t index) {
    add_row(name, report.rows[index], report, table);
  });
  return print(table) + geomeans_text(report);
}

}  // namespace dovetail
