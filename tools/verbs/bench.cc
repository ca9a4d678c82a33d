// SPDX-License-Identifier: Apache-2.0
// The verb `bench`: the best of a log beside other libraries, and beside the best of other logs.
#include "campaign/bench/bench.h"

#include <fmt/format.h>

#include <cstdio>

#include "campaign/bench/bench_report.h"
#include "report/tables/table.h"
#include "tools/command_line/verb_parser.h"
#include "tools/interrupt.h"
#include "tools/progress_bar.h"

namespace dovetail {
namespace {

constexpr Option<BenchOptions> kBenchOptions[] = {
    {"WORKLOAD", &BenchOptions::workloads, kWorkloadHelp},
    {"--target", &BenchOptions::target, kTargetHelp},
    {"--log", &BenchOptions::log, "file of records, or none: default traces (required)"},
    {.name = "--against",
     .member = &BenchOptions::against,
     .help = "onednn, libtorch, openblas, FILE with rows {spec, peer, seconds}; by commas; or none",
     .otherwise = "onednn,libtorch,openblas"},
    {"--beside", &BenchOptions::beside,
     "NAME=LOG: the best of another log (none: default traces) in turn with them"},
    {"--save", &BenchOptions::save,
     "FILE: keeps each row as it is measured; the same command then goes on"},
    {"--shape", &BenchOptions::shapes, kShapeHelp},
    {"--border", &BenchOptions::border, kBorderHelp},
};

using Seconds = std::optional<double>;

std::string fixed_text(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

std::string ratio_text(const std::optional<double>& ratio) { return fixed_text(ratio, 2); }

void add_row(const std::string& name, const BenchRow& row, const BenchReport& report,
             Table& table) {
  const Region& region = row.task->space->task.spec.region;
  const Seconds seconds = our_seconds(row);
  const BenchRatios ratios = ratios_of(row);
  std::vector<std::string> cells = {name};
  cells.push_back(seconds ? microseconds(*seconds) : std::string(print(row.times.ours.status)));
  cells.push_back(significant(gflops_of(row)));
  cells.push_back(
      fixed_text(seconds ? percent_of_peak(report.machine, region, *seconds) : std::nullopt, 1));
  cells.push_back(
      fixed_text(seconds ? percent_of_roof(report.machine, region, *seconds) : std::nullopt, 1));
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

// For a line of progress: "12.3 us, 1.05 (onednn), 1.3 beside nohw".
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

ExitCode exit_code(const std::vector<BenchRow>& rows) {
  ExitCode code = ExitCode::done;
  for (const BenchRow& row : rows) {
    if (row.times.ours.status == Status::worker_lost) return ExitCode::device_failure;
    if (row.times.ours.status != Status::ok) code = ExitCode::no_candidate;
  }
  return code;
}

Result<ExitCode> run_bench(const BenchOptions& options, bool json) {
  if (options.workloads.empty()) return fail("bench: no WORKLOAD given; see dovetail bench --help");
  if (options.log.empty()) return fail("bench: --log FILE is missing");
  catch_interrupts();
  const Listener listener = listener_on_stderr();
  const Bench done =
      TRY(bench(options, listener, [&](const BenchRow& row, size_t number, size_t count) {
        listener.note(fmt::format("{} of {}: {}: {}", number, count, row.task->space->task.name,
                                  short_text(row)));
        for (const std::string& problem : problems_of(row)) listener.note(problem);
      }));
  if (done.interrupted) {
    if (!options.save.empty()) {
      listener.note(fmt::format("rows are saved in {}; the same command goes on", options.save));
    }
    return ExitCode::interrupted;
  }
  std::fputs((json ? json_text(done.report) : table_text(done.report)).c_str(), stdout);
  return exit_code(done.report.rows);
}

}  // namespace

Result<ExitCode> bench_verb(Arguments arguments) {
  return parse_and_run<BenchOptions>("bench",
                                     "Times the best of a log beside other libraries, in turn.",
                                     kBenchOptions, run_bench, std::move(arguments));
}

}  // namespace dovetail
