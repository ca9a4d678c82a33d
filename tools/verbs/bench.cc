// SPDX-License-Identifier: Apache-2.0
// The verb `bench`: times the best of a log beside other libraries and the best of other logs.
#include "campaign/bench/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <tuple>
#include <utility>

#include "campaign/bench/bench_report.h"
#include "campaign/indented_json.h"
#include "core/base/time_interval.h"
#include "core/record/line/log_header.h"
#include "primitives/algorithm/roof.h"
#include "report/tables/row_table.h"
#include "tools/command_line/result_json.h"
#include "tools/command_line/verb_parser.h"
#include "tools/interrupt.h"
#include "tools/output.h"
#include "tools/progress_bar.h"

namespace dovetail {
namespace {

constexpr Option<BenchOptions> kBenchOptions[] = {
    {"WORKLOAD", &BenchOptions::workloads, kWorkloadHelp},
    {.name = "--target",
     .member = &BenchOptions::target,
     .help = kTargetHelp,
     .values = target_forms},
    {"--log", &BenchOptions::log, "file of records, or none: default traces (required)"},
    {.name = "--against",
     .member = &BenchOptions::against,
     .help = "libraries, or FILE with rows {spec, peer, seconds}, separated by commas",
     .otherwise = "onednn,libtorch,openblas",
     .values = library_words},
    {"--beside", &BenchOptions::beside,
     "NAME=LOG: the best of another log (none: default traces) in turn with them"},
    {.name = "--cache",
     .member = &BenchOptions::cache,
     .help = kCacheHelp,
     .otherwise = "hot; others with --against none",
     .values = cache_words},
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
    parts.push_back("row_major " + ratio_text(means.row_major));
  }
  for (const std::string& name : report.beside)
    parts.push_back(name + " / ours " + ratio_text(means.beside.at(name)));
  if (report.beside.size() > 1)
    parts.push_back("best of them / ours " + ratio_text(means.of_best_beside));
  if (parts.empty()) return "";
  return fmt::format("geometric means: {}\n", fmt::join(parts, ", "));
}

// ", 1.37x as fast as onednn (857 us)"
std::string beside_text(const std::optional<double>& ratio, const std::string& name,
                        const std::optional<double>& seconds) {
  if (!ratio || !seconds) return fmt::format(", no time of {}", name);
  return fmt::format(", {:.2f}x as fast as {} ({} us)", *ratio, name, microseconds(*seconds));
}

// A line of progress: "625 us, 1.37x as fast as onednn (857 us)".
std::string short_text(const BenchRow& row) {
  const BenchRatios ratios = ratios_of(row);
  std::string text = our_seconds(row) ? microseconds(*our_seconds(row)) + " us"
                                      : std::string(print(row.times.ours.status));
  if (ratios.ratio)
    text += beside_text(ratios.ratio, ratios.best_peer, peer_seconds(row, ratios.best_peer));
  for (const BesideRow& beside : row.beside)
    text += beside_text(ratios.beside.at(beside.name), beside.name, seconds_of(beside));
  return text;
}

using ByPeer = std::vector<std::pair<std::string, std::optional<double>>>;

ByPeer seconds_of_peers(const BenchRow& row, const BenchReport& report) {
  ByPeer seconds;
  for (const std::string& peer : report.peers) seconds.emplace_back(peer, peer_seconds(row, peer));
  return seconds;
}

std::optional<std::string> name_of(const std::optional<ChosenImplementation>& chosen) {
  return chosen ? std::optional(chosen->name) : std::nullopt;
}

auto details_of(const PeerTimes& peer) {
  const PeerChoice& choice = peer.choice;
  return std::tuple(
      Field{"version", peer.version}, Field{"seconds", peer.free},
      Field{"implementation", name_of(choice.free)},
      Field{"algorithm", choice.free ? std::optional(choice.free->algorithm) : std::nullopt},
      Field{"row_major_seconds", peer.row_major},
      Field{"row_major_implementation", name_of(choice.row_major)},
      Field{"direct_seconds", peer.direct}, Field{"direct_implementation", name_of(choice.direct)},
      Field{"max_rel_error", choice.max_rel_error}, Field{"reason", or_null(peer.reason)},
      Field{"rejected", choice.rejected});
}

auto details_of(const BenchRow& row) {
  std::vector<std::pair<std::string, decltype(details_of(PeerTimes()))>> details;
  for (const auto& [name, peer] : row.times.peers) details.emplace_back(name, details_of(peer));
  return details;
}

// The result of one --beside log for a task.
struct BesideFacts {
  std::optional<double> seconds, ratio;
  std::string algorithm, match, record;
  Status status = Status::ok;
};

auto fields_of(Of<BesideFacts> auto& facts) {
  return std::tuple(Field{"seconds", facts.seconds, Column{"{} (us)", kMicroseconds}},
                    Field{"algorithm", facts.algorithm}, Field{"match", facts.match},
                    Field{"record", or_null(facts.record)},
                    Field{"ratio", facts.ratio, Column{"{} / ours", digits(2)}},
                    Field{"status", facts.status});
}

auto facts_of(const std::vector<BesideRow>& rows, const BenchRatios& ratios) {
  std::vector<std::pair<std::string, std::optional<BesideFacts>>> facts;
  for (const BesideRow& row : rows) {
    auto& fact = facts.emplace_back(row.name, std::nullopt).second;
    if (row.task == nullptr) continue;
    fact = {.seconds = seconds_of(row),
            .ratio = ratios.beside.at(row.name),
            .algorithm = row.algorithm,
            .match = std::string(print(row.task->match.level)),
            .record = row.task->match.name,
            .status = row.result.status};
  }
  return facts;
}

struct AskedRow {
  std::string name;
  const BenchRow* row = nullptr;
  const BenchReport* report = nullptr;
  int64_t weight = 1;
  bool moves = false;  // a task has no product: bytes are counted, too
  BenchRatios ratios = {};
};

auto speeds_of(const AskedRow& asked) {
  const BenchRow& row = *asked.row;
  const Machine& machine = asked.report->machine;
  const RecordedTask& task = *row.task;
  const KeyedTask& spec = task.space->task.spec;
  const auto seconds = our_seconds(row);
  const auto time = [status = print(row.times.ours.status)](const std::optional<double>& seconds) {
    return microseconds_cell(seconds, status);
  };
  return std::tuple(
      Field{"name", asked.name, Column{"task"}}, Field{"spec", spec.text},
      Field{"weight", asked.weight}, Field{"seconds", our_seconds(row), Column{"time (us)", time}},
      Field{"seconds_interval", seconds ? interval_of(row.times.ours.samples) : std::nullopt,
            Column{"+/- (%)", kHalfWidth}},
      Field{"gflops", gflops_of(row), Column{"GFLOP/s"}},
      Field{"gbytes_per_second", gbytes_per_second_of(row),
            Column{"GB/s", PlainCell(), "", asked.moves}},
      Field{"percent_of_peak", percent_of_peak_of(row, machine), Column{"% of peak", digits(1)}},
      Field{"percent_of_roof", percent_of_roof(machine, spec.region, task.candidate.trace, seconds),
            Column{"% of roof", digits(1)}},
      Field{"algorithm", row.algorithm, Column{"algorithm"}});
}

auto comparison_of(const AskedRow& asked) {
  const BenchRow& row = *asked.row;
  const BenchRatios& ratios = asked.ratios;
  const bool has_peers = !asked.report->peers.empty();
  return std::tuple(
      Field{"peers", seconds_of_peers(row, *asked.report), Column{"{} (us)", kMicroseconds}},
      Field{"best_peer", or_null(ratios.best_peer),
            Column{"best peer", PlainCell(), "", has_peers}},
      Field{"ratio", ratios.ratio, Column{"ratio", digits(2), "", has_peers}},
      Field{"ratio_row_major", ratios.row_major, Column{"row_major", digits(2), "", has_peers}},
      Field{"ratio_direct", ratios.direct, Column{"direct", digits(2), "row_major", has_peers}});
}

auto facts_of(const AskedRow& asked) {
  const BenchRow& row = *asked.row;
  const BenchTimes& times = row.times;
  const BenchRatios& ratios = asked.ratios;
  const RecordMatch& match = row.task->match;
  const Presence if_beside = row.beside.empty() ? Presence::not_written : Presence::required;
  const auto if_timed = [&](double error) {
    return our_seconds(row) ? std::optional(error) : std::nullopt;
  };
  return std::tuple(
      Field{"row_major_seconds", times.row_major},
      Field{"row_major_reason", or_null(times.row_major ? std::string() : times.row_major_reason)},
      Field{"direct_seconds", times.direct},
      Field{"max_abs_error", if_timed(times.ours.max_abs_error)},
      Field{"max_rel_error", if_timed(times.ours.max_rel_error)},
      Field{"status", times.ours.status}, Field{"match", print(match.level), Column{"match"}},
      Field{"record", or_null(match.name)}, Field{"peer_details", details_of(row)},
      Field{"beside", facts_of(row.beside, ratios), Column{"", PlainCell(), "match"}, if_beside},
      Field{"best_beside", or_null(ratios.best_beside), AnyValue{}, if_beside},
      Field{"ratio_best_beside", ratios.of_best_beside, AnyValue{}, if_beside});
}

auto fields_of(Of<AskedRow> auto& asked) {
  return std::tuple_cat(speeds_of(asked), comparison_of(asked), facts_of(asked));
}

std::vector<AskedRow> asked_rows(const BenchReport& report) {
  const bool moves = std::ranges::any_of(
      report.rows, [](const BenchRow& row) { return gbytes_per_second_of(row).has_value(); });
  std::vector<AskedRow> rows;
  for_each_asked(*report.recorded, [&](const std::string& name, size_t index, int64_t weight) {
    const BenchRow& row = report.rows[index];
    rows.push_back({name, &row, &report, weight, moves, ratios_of(row)});
  });
  return rows;
}

std::string json_text(const BenchOptions& options, const BenchReport& report) {
  const Target& target = report.recorded->target;
  const BenchRatios means = geomeans_of(report);
  const Presence if_beside = report.beside.empty() ? Presence::not_written : Presence::required;
  ByPeer beside;
  for (const std::string& name : report.beside) beside.emplace_back(name, means.beside.at(name));
  return indented_json(std::tuple(
      Field{"target", print(target.name)}, Field{"device", facets_of(target).name},
      Field{"threads", target.name.threads}, Field{"caches", report.caches},
      Field{"log", options.log}, Field{"interrupted", false},
      Field{"peak_gflops", report.machine.peak_gflops}, Field{"rows", asked_rows(report)},
      Field{"geomean_ratio", means.ratio}, Field{"geomean_ratio_direct", means.direct},
      Field{"geomean_ratio_row_major", means.row_major}, unless_empty("geomean_beside", beside),
      Field{"geomean_best_beside", means.of_best_beside, AnyValue{}, if_beside}));
}

std::string table_text(const BenchReport& report) {
  return print(table_of(asked_rows(report))) + geomeans_text(report);
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
  put(json ? result_json("dovetail-bench-1", json_text(options, done.report))
           : table_text(done.report));
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
