// SPDX-License-Identifier: Apache-2.0
// The verb `bench`: times the best of a log beside other libraries and the best of other logs.
#include "campaign/bench/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "campaign/bench/bench_report.h"
#include "report/tables/data_table.h"
#include "tools/command_line/verb_parser.h"
#include "tools/interrupt.h"
#include "tools/output.h"
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
    {.name = "--cache",
     .member = &BenchOptions::cache,
     .help = kCacheHelp,
     .otherwise = "hot; others with --against none"},
    {"--save", &BenchOptions::save,
     "FILE: keeps each row as it is measured; the same command then goes on"},
    {"--shape", &BenchOptions::shapes, kShapeHelp},
    {"--constant", &BenchOptions::constants, kConstantHelp},
    {"--border", &BenchOptions::border, kBorderHelp},
};

std::string ratio_text(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.2f}", *ratio) : "-";
}

std::string geomeans_text(const BenchReport& report) {
  const BenchRatios means = geomeans_of(report);
  std::vector<std::string> parts;
  if (!report.peers.empty()) {
    parts.push_back("ratio " + ratio_text(means.ratio));
    parts.push_back("direct " + ratio_text(means.direct));
    parts.push_back("plain " + ratio_text(means.plain));
  }
  for (const std::string& name : report.beside)
    parts.push_back("of " + name + " " + ratio_text(means.beside.at(name)));
  if (report.beside.size() > 1)
    parts.push_back("of the best of them " + ratio_text(means.of_best_beside));
  if (parts.empty()) return "";
  return fmt::format("geometric means: {}\n", fmt::join(parts, ", "));
}

// A line of progress: "12.3 us, 1.05 of onednn, 1.30 of nohw".
std::string short_text(const BenchRow& row) {
  const BenchRatios ratios = ratios_of(row);
  std::string text = our_seconds(row) ? microseconds(*our_seconds(row)) + " us"
                                      : std::string(print(row.times.ours.status));
  if (ratios.ratio) text += fmt::format(", {:.2f} of {}", *ratios.ratio, ratios.best_peer);
  for (const BesideRow& beside : row.beside)
    text += fmt::format(", {} of {}", ratio_text(ratios.beside.at(beside.name)), beside.name);
  return text;
}

struct AskedRow {
  std::string name;
  const BenchRow& row;
  BenchRatios ratios = ratios_of(row);
};
using Asked = const AskedRow&;

void add_peers(const BenchReport& report, std::vector<ColumnOf<AskedRow>>& columns) {
  for (const std::string& peer : report.peers) {
    columns.emplace_back(
        peer + " (us)", [peer](Asked of) { return microseconds_cell(peer_seconds(of.row, peer)); });
  }
  if (report.peers.empty()) return;
  columns.emplace_back("best peer", [](Asked of) {
    return of.ratios.best_peer.empty() ? "-" : of.ratios.best_peer;
  });
  columns.emplace_back("ratio", [](Asked of) { return number_cell(of.ratios.ratio, 2); });
  columns.emplace_back("direct", [](Asked of) { return number_cell(of.ratios.direct, 2); });
  columns.emplace_back("plain", [](Asked of) { return number_cell(of.ratios.plain, 2); });
}

std::vector<ColumnOf<AskedRow>> columns_of(const BenchReport& report) {
  const auto of_peak = [&machine = report.machine](Asked of) {
    return number_cell(percent_of_peak_of(of.row, machine), 1);
  };
  const auto of_roof = [&machine = report.machine](Asked of) {
    const RecordedTask& task = *of.row.task;
    const auto percent = percent_of_roof(machine, task.space->task.spec.region,
                                         task.candidate.trace, our_seconds(of.row));
    return number_cell(percent, 1);
  };
  std::vector<ColumnOf<AskedRow>> columns = {
      {"task", &AskedRow::name},
      {"time (us)",
       [](Asked of) {
         return microseconds_cell(our_seconds(of.row), print(of.row.times.ours.status));
       }},
      {"GFLOP/s", [](Asked of) { return significant_cell(gflops_of(of.row)); }},
      {"% of peak", of_peak},
      {"% of roof", of_roof},
      {"algorithm", [](Asked of) { return of.row.algorithm; }}};
  const bool moves = std::ranges::any_of(
      report.rows, [](const BenchRow& row) { return gbytes_per_second_of(row).has_value(); });
  if (moves) {  // next to GFLOP/s, which they replace
    columns.emplace(columns.begin() + 3, "GB/s",
                    [](Asked of) { return significant_cell(gbytes_per_second_of(of.row)); });
  }
  add_peers(report, columns);
  for (size_t i = 0; i < report.beside.size(); ++i) {
    const std::string& name = report.beside[i];
    columns.emplace_back(name + " (us)",
                         [i](Asked of) { return microseconds_cell(seconds_of(of.row.beside[i])); });
    columns.emplace_back("of " + name,
                         [name](Asked of) { return number_cell(of.ratios.beside.at(name), 2); });
  }
  columns.emplace_back("match", [](Asked of) { return print(of.row.task->match.level); });
  return columns;
}

std::string table_text(const BenchReport& report) {
  std::vector<AskedRow> rows;
  for_each_asked(*report.recorded, [&](const std::string& name, size_t index) {
    rows.push_back({.name = name, .row = report.rows[index]});
  });
  return print_rows(rows, columns_of(report)) + geomeans_text(report);
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
    if (!options.save.empty())
      listener.note(fmt::format("rows are saved in {}; the same command goes on", options.save));
    return ExitCode::interrupted;
  }
  put(json ? json_text(done.report) : table_text(done.report));
  return exit_code(done.report.rows);
}

}  // namespace

Result<ExitCode> bench_verb(Arguments arguments) {
  return parse_and_run<BenchOptions>(
      "bench",
      "Times the best of a log beside other libraries, in turn.\n\n"
      "  dovetail bench gmm:m=512,n=512,k=512 --log gmm.jsonl --against onednn,libtorch\n",
      kBenchOptions, run_bench, std::move(arguments));
}

}  // namespace dovetail
