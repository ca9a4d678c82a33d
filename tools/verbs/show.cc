// SPDX-License-Identifier: Apache-2.0
// The verb `show`: looks inside an operator, a record or a model.
#include <cstdio>
#include <tuple>
#include <utility>

#include "campaign/indented_json.h"
#include "campaign/inspect.h"
#include "campaign/network/network_layouts.h"
#include "campaign/network/network_variants.h"
#include "campaign/workloads.h"
#include "core/base/fail.h"
#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/ir/region/region_text.h"
#include "costmodel/features/features.h"
#include "report/pages/network_section.h"
#include "report/tables/kernel_table.h"
#include "report/tables/row_table.h"
#include "tools/command_line/result_json.h"
#include "tools/command_line/verb_parser.h"
#include "tools/output.h"
#include "tools/progress_bar.h"

namespace dovetail {

auto fields_of(Of<Subject> auto& subject) {
  return std::tuple(Field{"name", subject.name, Column{"task"}},
                    Field{"spec", print(subject.spec), Column{"operator"}},
                    Field{"nodes", subject.nodes, Column{"nodes", PlainCell(), "operator"}});
}

namespace {

struct ShowCommand : InspectOptions {
  std::vector<std::string> subjects;
};

constexpr Option<ShowCommand> kShowOptions[] = {
    {"SUBJECT", &ShowCommand::subjects,
     "spec, region, LOG#CAMPAIGN.TRIAL, MODEL.onnx, MODEL.graph or @FILE of specs"},
    {.name = "--what",
     .member = &ShowCommand::what,
     .help =
         "what to print; without it the graph of a model, the tasks of a file of specs, and the "
         "nest of anything else",
     .values = shown_texts},
    {.name = "--target",
     .member = &ShowCommand::target,
     .help = kTargetHelp,
     .values = target_forms},
    {"--trace", &ShowCommand::trace_file, "file with a trace instead of the default; -: stdin"},
    {"--shape", &ShowCommand::shapes, kShapeHelp},
    {"--constant", &ShowCommand::constants, kConstantHelp},
    {"--log", &ShowCommand::log, "for --what layout of a model: file of records"},
    {.name = "--variant",
     .member = &ShowCommand::variant,
     .help = "for --what layout of a model: its network as `run` chooses it",
     .values = network_variants},
    {"--exact", &ShowCommand::exact, "for --what layout of a model, as `run --exact`"},
    {"--memory-limit", &ShowCommand::memory_limit_mb,
     "for --what layout of a model, MB: the network that `run` chose within it"},
};

using Features = std::vector<std::pair<std::string, double>>;

// The values of `name = value` lines.
Features features_of(const std::string& text) {
  Features features;
  for (const std::string_view line : split(text, '\n')) {
    const size_t equals = line.find(" = ");
    if (equals == std::string_view::npos) continue;
    features.emplace_back(line.substr(0, equals),
                          read_number<double>(line.substr(equals + 3)).value_or(0));
  }
  return features;
}

std::string json_text(const std::string& what, const std::string& text,
                      const std::vector<std::pair<std::string, Features>>& features = {}) {
  const Presence if_features = what == "features" ? Presence::required : Presence::not_written;
  return result_json(
      "dovetail-show-1",
      indented_json(std::tuple(Field{"what", what}, Field{"text", text},
                               Field{"feature_version", kFeatureVersion, AnyValue{}, if_features},
                               Field{"features", features, AnyValue{}, if_features})));
}

struct CallRow {
  CallOfNetwork call;
};

auto fields_of(Of<CallRow> auto& row) {
  auto& call = row.call;
  const std::string given = stored_text(call.given), made = stored_text(call.made);
  return std::tuple(Field{"call", call.call, Column{"call"}},
                    Field{"joined", fmt::format("{}", fmt::join(call.with, " ")), Column{"with"}},
                    Field{"conversion", call.is_conversion},
                    Field{"seconds", call.seconds, Column{"time (us)", kMicroseconds}},
                    Field{"given", std::string(given)}, Field{"made", std::string(made)},
                    Field{"", given + " -> " + made, Column{"layouts"}, Presence::not_written});
}

// The layouts of a model's tensors, call by call.
std::string layouts_text(const std::vector<CallOfNetwork>& calls, bool json) {
  std::vector<CallRow> rows;
  for (const CallOfNetwork& call : calls) rows.push_back({call});
  return json
             ? result_json("dovetail-show-1",
                           indented_json(std::tuple(Field{"what", "layout"}, Field{"calls", rows})))
             : print(table_of(rows));
}

// The distinct operators of a workload, and how many nodes run each.
std::string tasks_text(const Subjects& subjects, bool json) {
  return json
             ? result_json(
                   "dovetail-show-1",
                   indented_json(std::tuple(Field{"what", "tasks"}, Field{"tasks", subjects.list})))
             : print(table_of(subjects.list));
}

// How each kernel of the subjects uses the device; a single subject needs no name beside them.
Result<std::string> kernels_text(const Subjects& subjects, bool json) {
  if (!runs_work_groups(subjects.target))
    return fail("show: --what kernels is of devices of work-groups; expected opencl, found {}",
                print(subjects.target.name));
  std::vector<KernelRow> rows;
  for (const Subject& subject : subjects.list) {
    const Program program = TRY(program_of(subject, subjects.target));
    for (KernelUse& use : kernel_uses(program, subjects.target))
      rows.push_back({.task = subject.name, .use = std::move(use)});
  }
  if (json)
    return result_json("dovetail-show-1",
                       indented_json(std::tuple(Field{"what", "kernels"}, Field{"kernels", rows})));
  return print(table_of_kernels(rows, subjects.list.size() > 1));
}

// `named`: a line with its name and operator precedes each subject's text.
Result<std::string> text_of_subjects(const Subjects& subjects, const std::string& what, bool named,
                                     bool json) {
  if (what == "tasks") return tasks_text(subjects, json);
  if (what == "kernels") return kernels_text(subjects, json);
  std::string text;
  std::vector<std::pair<std::string, Features>> features;  // by subject
  for (const Subject& subject : subjects.list) {
    if (named) text += fmt::format("# {} = {}\n", subject.name, print(subject.spec));
    const std::string own = TRY(text_of(subject, subjects.target, what));
    if (what == "features") features.emplace_back(subject.name, features_of(own));
    text += own;
  }
  if (what == "trace" && text.empty())
    std::fputs("the default trace of a written region has no primitives\n", stderr);
  return json ? json_text(what, text, features) : text;
}

// The first option given that only the layouts of a model have; empty: none.
std::string_view given_of_layouts(const ShowCommand& options) {
  if (!options.log.empty()) return "--log";
  if (options.variant) return "--variant";
  if (options.exact) return "--exact";
  return options.memory_limit_mb ? "--memory-limit" : "";
}

Result<void> check_layout_options(const ShowCommand& options, std::string_view what) {
  const bool has_layouts = what == "layout" && is_model(options.what_of);
  const std::string_view given = given_of_layouts(options);
  if (!has_layouts && !given.empty())
    return fail("show: {} is of MODEL --what layout; expected no such option for --what {} of {}",
                given, what, options.what_of);
  if (options.memory_limit_mb && options.variant && options.variant != kGlobalVariant)
    return fail(
        "show: --memory-limit of variant {}; expected --variant {}, which chooses within it",
        *options.variant, kGlobalVariant);
  return {};
}

Result<ExitCode> run_show(ShowCommand options, bool json) {
  if (options.subjects.size() != 1)
    return fail(
        "show: {} subjects given, expected one spec, record or model; see dovetail show --help",
        options.subjects.size());
  options.what_of = options.subjects.front();
  const std::string what = options.what.value_or(std::string(what_by_default(options.what_of)));
  if (std::ranges::find(inspected_texts(), what) == inspected_texts().end())
    return fail("show: unknown --what '{}'; expected one of: {}", what,
                one_of_or_nearest(what, shown_texts()));
  TRY(check_layout_options(options, what));
  if (options.memory_limit_mb && !options.variant) options.variant = kGlobalVariant;
  if (what == "layout" && is_model(options.what_of)) {
    put(layouts_text(TRY(network_layouts(options, listener_on_stderr())), json));
    return ExitCode::done;
  }
  if (what == "graph") {
    const std::string graph = TRY(graph_text(options));
    put(json ? json_text(what, graph) : graph);
    return ExitCode::done;
  }
  const Subjects subjects = TRY(find_subjects(options));
  for (const std::string& note : subjects.notes)
    std::fputs(fmt::format("dovetail: {}\n", printable(note)).c_str(), stderr);
  put(TRY(text_of_subjects(subjects, what, is_workload_file(options.what_of), json)));
  return ExitCode::done;
}

}  // namespace

Result<ExitCode> show_verb(Arguments arguments) {
  return parse_and_run<ShowCommand>("show",
                                    "Looks inside an operator, a record of a log or a model.\n\n"
                                    "  dovetail show gmm:m=64,n=64,k=64 --what space\n",
                                    kShowOptions, run_show, std::move(arguments), "the text");
}

}  // namespace dovetail
