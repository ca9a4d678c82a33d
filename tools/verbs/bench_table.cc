// SPDX-License-Identifier: Apache-2.0
#include "tools/verbs/bench_table.h"

#include <fmt/format.h>

#include "report/tables/table.h"

namespace dovetail {
namespace {

using Seconds = std::optional<double>;

std::string ratio_text(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.2f}", *ratio) : "-";
}

std::string percent_text(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f}", *value) : "-";
}

void add_row(const std::string& name, const BenchRow& row, const BenchReport& report,
             Table& table) {
  const Region& region = row.task->space->task.spec.region;
  const Seconds seconds = our_seconds(row);
  const BenchRatios ratios = ratios_of(row);
  std::vector<std::string> cells = {name};
  cells.push_back(seconds ? microseconds(*seconds) : std::string(print(row.times.ours.status)));
  cells.push_back(significant(gflops_of(row)));
  cells.push_back(
      percent_text(seconds ? percent_of_peak(report.machine, region, *seconds) : std::nullopt));
  cells.push_back(
      percent_text(seconds ? percent_of_roof(report.machine, region, *seconds) : std::nullopt));
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
  const BenchMeans means = geomeans_of(report);
  std::vector<std::string> parts;
  if (!report.peers.empty()) {
    parts.push_back("ratio " + ratio_text(means.ratio));
    parts.push_back("direct " + ratio_text(means.direct));
    parts.push_back("plain " + ratio_text(means.plain));
  }
  for (const std::string& name : report.beside) {
    parts.push_back("of " + name + " " + ratio_text(means.beside.at(name)));
  }
  if (report.beside.size() > 1) {
    parts.push_back("of the best of them " + ratio_text(means.of_best_beside));
  }
  if (parts.empty()) return "";
  return fmt::format("geometric means: {}\n", fmt::join(parts, ", "));
}

}  // namespace

std::string short_text(const BenchRow& row) {
  const BenchRatios ratios = ratios_of(row);
  std::string text = our_seconds(row) ? microseconds(our_seconds(row)) + " us"
                                      : std::string(print(row.times.ours.status));
  if (ratios.ratio) text += fmt::format(", {:.2f} of {}", *ratios.ratio, ratios.best_peer);
  for (const BesideRow& beside : row.beside) {
    text += fmt::format(", {} of {}", ratio_text(ratios.beside.at(beside.name)), beside.name);
  }
  return text;
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
