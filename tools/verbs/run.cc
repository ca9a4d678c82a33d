// SPDX-License-Identifier: Apache-2.0
// The verb `run`: computes one spec on the user's arrays, checks it, and writes its outputs.
#include "campaign/run/run.h"
#include "core/base/fail.h"
#include "core/base/text.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "campaign/indented_json.h"
#include "report/tables/data_table.h"
#include "tools/command_line/verb_parser.h"
#include "tools/output.h"
#include "tools/progress_bar.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

struct RunCommand : RunSpecOptions {
  std::vector<std::string> specs;
  std::optional<std::string> variant_list;  // separated by commas
  std::string peer_list;                    // likewise
};

constexpr Option<RunCommand> kRunOptions[] = {
    {"SPEC", &RunCommand::specs, "operator, sum or region (docs/workloads.md), or MODEL.onnx"},
    {"--target", &RunCommand::target, kTargetHelp},
    {"--log", &RunCommand::log, "file of records: the best trace; without it the default trace"},
    {"--variant", &RunCommand::variant_list,
     "of a model, how layouts are chosen: joint, forward_only, backward_only, without_propagation, "
     "loop_only, default (without the log), or global: by what whole networks take, measured; "
     "several, separated by commas, run in turn; without it the network that the log keeps, which "
     "is global, and joint where it keeps none"},
    {"--exact", &RunCommand::exact,
     "only algorithms that round as the definition's sum does (no Winograd, no pairs)"},
    {"--max-error", &RunCommand::max_error,
     "largest error of a region, over the range of its output, that algorithms that round "
     "otherwise "
     "may have; beyond it the next one is taken (1e-05)"},
    {"--memory-limit", &RunCommand::memory_limit_mb,
     "of a model, MB: constants and temporaries may take no more; variant global then chooses what "
     "is fastest of what fits"},
    {"--choose-again", &RunCommand::choose_again,
     "of variant global, which it stands for alone: measure networks again, though the log keeps "
     "the one that was chosen"},
    {"--inputs", &RunCommand::inputs,
     "folder with input_0.npy, input_1.npy, ... in the order of the spec; without it random "
     "numbers"},
    {"--outputs", &RunCommand::outputs, "folder for output_0.npy, ..."},
    {"--profile", &RunCommand::profile,
     "of a model: file for what each kernel takes, with its bytes and FLOPs (a trace viewer's)"},
    {"--peer", &RunCommand::peer_list,
     "of a model: onnxruntime, openvino, libtorch, measured beside it, in turn "
     "(scripts/install-network-peers)"},
    {"--seed", &RunCommand::seed, "of random inputs"},
    {"--shape", &RunCommand::shapes, kShapeHelp},
    {"--constant", &RunCommand::constants, kConstantHelp},
};

Json peers_json(const RunRow& row) {
  Json peers = Json::object();
  for (const EngineRow& engine : row.engines) peers[engine.name] = or_null(engine.seconds);
  return peers;
}

Json left_out_json(const RunRow& row) {
  Json left_out = Json::array();
  for (const AccuracyRule::Refused& one : row.left_out)
    left_out.push_back({{"task", one.task},
                        {"algorithm", print(one.algorithm)},
                        {"range_error", one.error},
                        {"measured", one.is_measured}});
  return left_out;
}

Json engines_json(const RunRow& row) {
  Json engines = Json::array();
  for (const EngineRow& engine : row.engines)
    engines.push_back({{"name", engine.name},
                       {"version", engine.version},
                       {"precision", engine.precision},
                       {"round_seconds", engine.round_seconds},
                       {"difference", engine.difference},
                       {"range_error", engine.range_error},
                       {"peak_bytes", engine.peak_bytes},
                       {"import_bytes", engine.import_bytes},
                       {"reason", engine.reason}});
  return engines;
}

std::string json_text(const Run& run) {
  Json rows = Json::array();
  for (const RunRow& row : run.rows) {
    const bool has_run = row.seconds.has_value();
    rows.push_back(
        {{"name", row.name},
         {"variant", row.variant},
         {"seconds", or_null(row.seconds)},
         {"max_abs_error", has_run ? Json(row.max_abs_error) : Json()},
         {"max_rel_error", has_run ? Json(row.max_rel_error) : Json()},
         {"range_error", or_null(row.range_error)},
         {"left_out", left_out_json(row)},
         {"right", row.reason.empty()},
         {"nodes", row.nodes},
         {"views", row.views},
         {"distinct", row.distinct},
         {"recorded", row.recorded},
         {"calls", row.calls},
         {"conversions", row.conversions},
         {"fused", row.fused},
         {"round_seconds", row.round_seconds},
         {"peers", peers_json(row)},
         {"ratio", or_null(ratio_of(row))},
         {"engines", engines_json(row)},
         {"same_as", row.same_as},
         {"networks", row.networks},
         {"kept", row.kept},
         {"joint_seconds", or_null(row.joint_seconds)},
         {"kernels_seconds", or_null(row.kernels_seconds)},
         {"conversion_seconds", row.kernels_seconds ? Json(row.conversion_seconds) : Json()},
         {"peak_bytes", row.peak_bytes},
         {"lower_bound_bytes", row.lower_bound_bytes},
         {"constant_bytes", row.constant_bytes},
         {"match", print(row.match.level)},
         {"record", or_null(row.match.name)},
         {"outputs", row.files}});
  }
  return indented_json(
      Json{{"rows", std::move(rows)}, {"process_peak_bytes", run.process_peak_bytes}});
}

std::string table_text(const Run& run) {
  const auto error = [](double RunRow::* value) {
    return [value](const RunRow& row) {
      return significant_cell(row.seconds ? std::optional(row.*value) : std::nullopt);
    };
  };
  const auto right = [](const RunRow& row) {
    return !row.seconds ? "did not run" : row.reason.empty() ? "yes" : "no";
  };
  const auto trace = [](const RunRow& row) {
    if (row.recorded > 0) return fmt::format("{} of {} recorded", row.recorded, row.distinct);
    return row.match.best ? row.match.name : std::string(print(row.match.level));
  };
  return print_rows<RunRow>(
      run.rows,
      {{"spec", &RunRow::name},
       {"time (us)", [](const RunRow& row) { return microseconds_cell(row.seconds); }},
       {"max abs error", error(&RunRow::max_abs_error)},
       {"max rel error", error(&RunRow::max_rel_error)},
       {"error / range", [](const RunRow& row) { return significant_cell(row.range_error); }},
       {"right", right},
       {"trace", trace}});
}

// Counts of nodes and calls, and memory, behind the time of a model.
std::string network_text(const RunRow& row, bool is_one) {
  if (!row.seconds || row.nodes == 1) return "";
  return fmt::format(
      "{}{} nodes in {} calls: {} conversion{}, {} node{} fused, {} view{}; {} bytes of "
      "temporaries, at least {}; {} of constants\n",
      is_one ? "" : row.variant + ": ", row.nodes, row.calls, row.conversions,
      row.conversions == 1 ? "" : "s", row.fused, row.fused == 1 ? "" : "s", row.views,
      row.views == 1 ? "" : "s", row.peak_bytes, row.lower_bound_bytes, row.constant_bytes);
}

std::string networks_text(const Run& run) {
  std::string text;
  for (const RunRow& row : run.rows) text += network_text(row, run.rows.size() == 1);
  return text;
}

// The networks and engines that ran in turn; ratios are to the last one of our networks.
std::string peers_text(const Run& run) {
  const RunRow& last = run.rows.back();
  if (!last.seconds || (last.engines.empty() && run.rows.size() == 1)) return "";
  struct Line {
    std::string name, version, precision;
    std::optional<double> seconds, ratio, range_error;
    int64_t peak_bytes = 0;  // whole process
    std::string reason;
  };
  std::vector<Line> lines;
  for (const RunRow& row : run.rows)
    lines.push_back({"ours, " + row.variant, "", "f32", row.seconds, *row.seconds / *last.seconds,
                     row.range_error, run.process_peak_bytes,
                     row.same_as.empty() ? "" : "the network of " + row.same_as});
  for (const EngineRow& engine : last.engines) {
    const auto ratio =
        engine.seconds ? std::optional(*engine.seconds / *last.seconds) : std::nullopt;
    lines.push_back({engine.name, engine.version, engine.precision, engine.seconds, ratio,
                     engine.range_error, engine.peak_bytes, engine.reason});
  }
  return "\n" +
         print_rows<Line>(
             lines,
             {{"engine", &Line::name},
              {"version", &Line::version},
              {"time (us)", [](const Line& line) { return microseconds_cell(line.seconds); }},
              {"to ours", [](const Line& line) { return number_cell(line.ratio, 2); }},
              {"error / range",
               [](const Line& line) { return significant_cell(line.range_error); }},
              {"memory (MB)",
               [](const Line& line) {
                 return number_cell(std::optional(1e-6 * static_cast<double>(line.peak_bytes)), 0);
               }},
              {"precision", &Line::precision},
              {"", &Line::reason}});
}

Result<ExitCode> run_run(RunCommand options, bool json) {
  if (options.specs.size() != 1)
    return fail("run: {} specs given, expected one", options.specs.size());
  options.spec = options.specs.front();
  if (!options.peer_list.empty())
    for (const std::string_view peer : split(options.peer_list, ','))
      options.peers.emplace_back(peer);
  if (options.variant_list)
    for (const std::string_view variant : split(*options.variant_list, ','))
      options.variants.emplace_back(variant);
  const Listener listener = listener_on_stderr();
  const Run run = TRY(run_spec(options, listener));
  const std::string text =
      json ? json_text(run) : table_text(run) + networks_text(run) + peers_text(run);
  put(text);
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
      "Runs one spec, checks what it computes and gives its outputs.\n\n"
      "  dovetail run 'Y[i,j] = exp(X[j,i]) : i=64,j=32' --outputs out\n",
      kRunOptions, run_run, std::move(arguments));
}

}  // namespace dovetail
