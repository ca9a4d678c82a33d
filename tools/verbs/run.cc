// SPDX-License-Identifier: Apache-2.0
// The verb `run`: computes a model or one spec on the user's arrays, checks it, and writes its
// outputs.
#include "campaign/run/run.h"
#include "core/base/fail.h"
#include "core/base/text.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <tuple>
#include <utility>
#include <vector>

#include "campaign/indented_json.h"
#include "campaign/package/build_facts.h"
#include "campaign/workloads.h"
#include "core/record/line/log_header.h"
#include "report/tables/row_table.h"
#include "tools/command_line/result_json.h"
#include "tools/command_line/verb_parser.h"
#include "tools/output.h"
#include "tools/progress_bar.h"

namespace dovetail {

auto fields_of(Of<AccuracyRule::Refused> auto& refused) {
  return std::tuple(Field{"task", refused.task}, Field{"algorithm", print(refused.algorithm)},
                    Field{"range_error", refused.error}, Field{"measured", refused.is_measured});
}

auto fields_of(Of<RunRegion> auto& region) {
  return std::tuple(Field{"node", region.node}, Field{"spec", region.spec},
                    Field{"algorithm", region.algorithm}, Field{"match", print(region.match.level)},
                    Field{"record", or_null(region.match.name)});
}

auto fields_of(Of<EngineRow> auto& engine) {
  return std::tuple(
      Field{"name", engine.name, Column{"peer"}},
      Field{"version", engine.version, Column{"version"}},
      Field{"precision", engine.precision, Column{"precision", PlainCell(), kLastColumn}},
      Field{"round_seconds", engine.round_seconds}, Field{"difference", engine.difference},
      Field{"", engine.seconds, Column{"time (us)", kMicroseconds, "error / range"},
            Presence::not_written},
      Field{"range_error", engine.range_error, Column{"error / range"}},
      Field{"peak_bytes", engine.peak_bytes, Column{"memory (MB)", digits(0, 1e-6)}},
      Field{"import_bytes", engine.import_bytes},
      Field{"reason", engine.reason, Column{"", PlainCell(), kLastColumn}});
}

namespace {

std::string trace_text(const RunRow& row) {
  const int64_t known = row.recorded + row.of_network;
  if (known > 0 && row.of_network > 0)
    return fmt::format("{} of {} recorded, {} as kept", row.recorded, row.calls, row.of_network);
  if (known > 0) return fmt::format("{} of {} recorded", row.recorded, row.calls);
  return row.match.best ? row.match.name : std::string(print(row.match.level));
}

// A model is named by its file, wherever it lies.
std::string shown_name(const std::string& spec) {
  return is_workload_file(spec) ? std::filesystem::path(spec).filename().string() : spec;
}

auto results_of(const RunRow& row) {
  const auto if_run = [&](double value) {
    return row.seconds ? std::optional(value) : std::nullopt;
  };
  const auto right = [&row](bool is_right) {
    return !row.seconds ? "did not run" : is_right ? "yes" : "no";
  };
  return std::tuple(Field{"name", shown_name(row.name), Column{"spec"}},
                    Field{"variant", row.variant, Column{"variant"}},
                    Field{"seconds", row.seconds, Column{"time (us)", kMicroseconds}},
                    Field{"seconds_interval", row.interval, Column{"+/- (%)", kHalfWidth}},
                    Field{"max_abs_error", if_run(row.max_abs_error), Column{"max abs error"}},
                    Field{"max_rel_error", if_run(row.max_rel_error), Column{"max rel error"}},
                    Field{"range_error", row.range_error, Column{"error / range"}},
                    Field{"left_out", row.left_out},
                    Field{"right", row.reason.empty(), Column{"right", right}},
                    Field{"", trace_text(row), Column{"trace"}, Presence::not_written});
}

auto network_of(const RunRow& row) {
  std::vector<std::pair<std::string, std::optional<double>>> peers;
  for (const EngineRow& engine : row.engines) peers.emplace_back(engine.name, engine.seconds);
  return std::tuple(
      Field{"nodes", row.nodes}, Field{"views", row.views}, Field{"distinct", row.distinct},
      Field{"recorded", row.recorded}, Field{"of_network", row.of_network},
      Field{"calls", row.calls}, Field{"conversions", row.conversions}, Field{"fused", row.fused},
      Field{"round_seconds", row.round_seconds}, Field{"peers", std::move(peers)},
      Field{"ratio", ratio_of(row)}, Field{"engines", row.engines}, Field{"same_as", row.same_as},
      Field{"networks", row.networks}, Field{"kept", row.kept},
      Field{"chosen_seconds", row.chosen_seconds}, Field{"joint_seconds", row.joint_seconds},
      Field{"default_seconds", row.default_seconds}, Field{"kernels_seconds", row.kernels_seconds},
      Field{"conversion_seconds",
            row.kernels_seconds ? std::optional(row.conversion_seconds) : std::nullopt},
      Field{"peak_bytes", row.peak_bytes}, Field{"lower_bound_bytes", row.lower_bound_bytes},
      Field{"constant_bytes", row.constant_bytes},
      Field{"model_constant_bytes", row.model_constant_bytes},
      Field{"match", print(row.match.level)}, Field{"record", or_null(row.match.name)},
      Field{"regions", row.regions}, Field{"outputs", row.files});
}

}  // namespace

auto fields_of(Of<RunRow> auto& row) { return std::tuple_cat(results_of(row), network_of(row)); }

namespace {

// An engine or a network of ours that runs in turn; to_ours: over the last one of our networks.
struct EngineLine {
  EngineRow engine = {};
  std::optional<double> to_ours = {};
};

auto fields_of(Of<EngineLine> auto& line) {
  return std::tuple_cat(
      fields_of(line.engine),
      std::tuple(Field{"", line.to_ours, Column{"to ours", digits(2), "error / range"},
                       Presence::not_written}));
}

struct RunCommand : RunSpecOptions {
  std::vector<std::string> specs;
  std::optional<std::string> variant_list;  // separated by commas
  std::string peer_list;                    // likewise
};

constexpr Option<RunCommand> kRunOptions[] = {
    {"MODEL|SPEC", &RunCommand::specs,
     "MODEL.onnx or MODEL.graph, or one operator or region (docs/workloads.md)"},
    {.name = "--target",
     .member = &RunCommand::target,
     .help = kTargetHelp,
     .values = target_forms},
    {"--log", &RunCommand::log, "file of records: the best trace; without it the default trace"},
    {.name = "--variant",
     .member = &RunCommand::variant_list,
     .help =
         "for a model: how its layouts are chosen (global: by measuring whole networks; default: "
         "without the log); several, separated by commas, run in turn; without it the network "
         "that the log keeps, which is global, else joint",
     .values = network_variants},
    {"--exact", &RunCommand::exact, kExactHelp},
    {.name = "--max-error",
     .member = &RunCommand::max_error,
     .help = kMaxErrorHelp,
     .otherwise = "1e-05"},
    {"--memory-limit", &RunCommand::memory_limit_mb,
     "for a model: MB that constants and temporaries may take together; variant global chooses the "
     "fastest network that fits"},
    {"--choose-again", &RunCommand::choose_again,
     "variant global, measured again even if the log keeps a network"},
    {"--inputs", &RunCommand::inputs,
     "folder with input_0.npy, input_1.npy, ... in the order of the spec or model; without it "
     "random numbers"},
    {"--outputs", &RunCommand::outputs, "folder for output_0.npy, ..."},
    {"--profile", &RunCommand::profile,
     "for a model: FILE for each kernel's time, bytes and FLOPs, for a trace viewer"},
    {.name = "--peer",
     .member = &RunCommand::peer_list,
     .help = "for a model: other libraries that run it in turn with ours "
             "(scripts/install-network-peers)",
     .values = engine_words},
    {"--seed", &RunCommand::seed, "seed of random inputs"},
    {"--shape", &RunCommand::shapes, kShapeHelp},
    {"--constant", &RunCommand::constants, kConstantHelp},
};

// Counts of nodes, regions and calls, and memory, behind the time of a model.
std::string network_text(const RunRow& row) {
  if (!row.seconds || row.nodes == 1) return "";
  if (!row.same_as.empty()) return fmt::format("{}: the network of {}\n", row.variant, row.same_as);
  const int64_t regions = row.nodes - row.fused;
  return fmt::format(
      "{}: {} nodes in {}, {} with {}, {}; {} bytes of "
      "temporaries without inputs and outputs, at least {}; {} of constants, {} in the model\n",
      row.variant, row.nodes, counted(regions, "region"), counted(row.calls, "call"),
      counted(row.conversions, "conversion"), counted(row.views, "view"), row.peak_bytes,
      row.lower_bound_bytes, row.constant_bytes, row.model_constant_bytes);
}

std::string networks_text(const Run& run) {
  std::string text;
  for (const RunRow& row : run.rows) text += network_text(row);
  return text;
}

std::string peers_text(const Run& run) {
  const RunRow& last = run.rows.back();
  if (!last.seconds || last.engines.empty()) return "";
  std::vector<EngineLine> lines;
  for (const RunRow& row : run.rows) {
    const EngineRow ours{.name = "ours, " + row.variant,
                         .version = "",
                         .precision = "f32",
                         .seconds = row.seconds,
                         .range_error = row.range_error.value_or(std::nan("")),
                         .peak_bytes = run.process_peak_bytes,
                         .reason = row.same_as.empty() ? "" : "the network of " + row.same_as};
    lines.push_back({ours});
  }
  for (const EngineRow& engine : last.engines) lines.push_back({engine});
  for (EngineLine& line : lines)
    if (line.engine.seconds) line.to_ours = *line.engine.seconds / *last.seconds;
  return "\n" + print(table_of(lines));
}

// Only JSON has digests: they read a model and its log once more.
Result<std::string> json_text(const RunCommand& options, const Run& run) {
  std::string model_sha256, log_sha256;
  if (is_workload_file(options.spec)) {
    model_sha256 = TRY(digest_of_file(options.spec));
    if (!options.log.empty()) log_sha256 = TRY(digest_of_file(options.log));
  }
  return result_json(
      "dovetail-run-1",
      indented_json(std::tuple(
          Field{"target", print(run.target.name)}, Field{"device", facets_of(run.target).name},
          Field{"log", or_null(options.log)}, Field{"log_sha256", or_null(log_sha256)},
          Field{"model_sha256", or_null(model_sha256)}, Field{"seed", options.seed},
          Field{"rows", run.rows}, Field{"process_peak_bytes", run.process_peak_bytes})));
}

Result<ExitCode> run_run(RunCommand options, bool json) {
  if (options.specs.size() != 1)
    return fail("run: {} specs given, expected one; see dovetail run --help", options.specs.size());
  options.spec = options.specs.front();
  if (!options.peer_list.empty())
    for (const std::string_view peer : split(options.peer_list, ','))
      options.peers.emplace_back(peer);
  if (options.variant_list)
    for (const std::string_view variant : split(*options.variant_list, ','))
      options.variants.emplace_back(variant);
  const Listener listener = listener_on_stderr();
  const Run run = TRY(run_spec(options, listener));
  put(json ? TRY(json_text(options, run))
           : print(table_of(run.rows)) + networks_text(run) + peers_text(run));
  ExitCode code = ExitCode::done;
  for (const RunRow& row : run.rows) {
    if (row.reason.empty()) continue;
    listener.note(fmt::format("{}: {}", row.name, row.reason));
    code = ExitCode::no_candidate;
  }
  return code;
}

}  // namespace

Result<ExitCode> run_verb(Arguments arguments) {
  return parse_and_run<RunCommand>(
      "run",
      "Runs a model or one spec, checks what it computes, times it and gives its outputs.\n\n"
      "  dovetail run resnet18.onnx --log resnet18.jsonl --variant global\n"
      "  dovetail run 'Y[i,j] = exp(X[j,i]) : i=64,j=32' --outputs out\n",
      kRunOptions, run_run, std::move(arguments));
}

}  // namespace dovetail
