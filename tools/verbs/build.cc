// SPDX-License-Identifier: Apache-2.0
// The verb `build`: compiles a model and its log into a package that runs without Dovetail.
#include "campaign/package/build_package.h"
#include "core/base/fail.h"

#include <algorithm>
#include <cstdio>
#include <tuple>

#include "campaign/indented_json.h"
#include "core/base/text.h"
#include "report/tables/data_table.h"
#include "tools/command_line/result_json.h"
#include "tools/command_line/verb_parser.h"
#include "tools/output.h"
#include "tools/progress_bar.h"

namespace dovetail {

auto fields_of(Of<PackageOrigin::Options> auto& options) {
  return std::tuple(Field{"exact", options.exact}, Field{"max_error", options.max_error},
                    Field{"memory_limit_mb", options.memory_limit_mb},
                    Field{"shapes", options.shapes}, Field{"constants", options.constants});
}

auto fields_of(Of<PackageCall> auto& call) {
  return std::tuple(Field{"code", call.code}, Field{"node", call.node}, Field{"task", call.task},
                    Field{"trace", call.trace}, Field{"match", print(call.match)},
                    Field{"record", or_null(call.record)}, Field{"why", call.why});
}

auto fields_of(Of<RegionAccuracy> auto& region) {
  return std::tuple(Field{"code", region.code}, Field{"region", region.region},
                    Field{"algorithm", or_null(region.algorithm)},
                    Field{"vector_functions", region.has_vector_functions},
                    Field{"range_error", region.error}, Field{"measured", region.is_measured});
}

auto fields_of(Of<BuildSizes::Workspace> auto& pool) {
  return std::tuple(Field{"pool", pool.pool}, Field{"bytes", pool.bytes},
                    Field{"lower_bound_bytes", pool.lower_bound_bytes},
                    Field{"alignment", pool.alignment});
}

auto fields_of(Of<BuildSizes::Weights> auto& pool) {
  return std::tuple(
      Field{"pool", pool.pool}, Field{"bytes", pool.bytes}, Field{"given_bytes", pool.given_bytes},
      Field{"prepared_bytes", pool.prepared_bytes}, Field{"alignment", pool.alignment});
}

namespace {

struct BuildCommand : BuildOptions {
  std::vector<std::string> models;
};

constexpr Option<BuildCommand> kBuildOptions[] = {
    {"MODEL", &BuildCommand::models, "MODEL.onnx or MODEL.graph"},
    {"--log", &BuildCommand::log, "file of records: the best traces; without it default traces"},
    {"-o", &BuildCommand::folder,
     "DIR that the package goes to; it is written whole, or not at all"},
    {"--name", &BuildCommand::name,
     "name of the package, a C identifier; without it that of the model's file"},
    {.name = "--target",
     .member = &BuildCommand::targets,
     .help =
         "device that runs the code, another CPU with cpu:arch=NAME; of several CPUs the package "
         "takes the best that the processor can run",
     .values = target_forms},
    {.name = "--system",
     .member = &BuildCommand::system,
     .help = "operating system of the program; without it this one",
     .values = [] { return std::vector<std::string>{"linux", "macos", "windows"}; }},
    {.name = "--variant",
     .member = &BuildCommand::variant,
     .help = kNetworkVariantHelp,
     .values = network_variants},
    {"--exact", &BuildCommand::exact, kExactHelp},
    {.name = "--max-error",
     .member = &BuildCommand::max_error,
     .help = kMaxErrorHelp,
     .otherwise = "1e-05"},
    {"--calibrate", &BuildCommand::calibrate,
     "folder with input_0.npy, ..., or with several such folders: the data on which errors are "
     "judged; without it random numbers"},
    {"--memory-limit", &BuildCommand::memory_limit_mb,
     "MB that constants and temporaries may take together"},
    {.name = "--weights",
     .member = &BuildCommand::weights,
     .help = "where weights are: in a file beside the library, or embedded in it",
     .values = [] { return std::vector<std::string>{"file", "embed"}; }},
    {.name = "--workspace",
     .member = &BuildCommand::workspace,
     .help =
         "memory for temporaries: an argument of NAME_run, or the library's own, for one run at a "
         "time",
     .values = [] { return std::vector<std::string>{"caller", "internal"}; }},
    {"--pool", &BuildCommand::pools,
     "NAME:size=N,align=A: memory for temporaries; once for each pool, in order of preference"},
    {"--constants-pool", &BuildCommand::constants_pools,
     "the same for weights; each pool has a file of its own"},
    {.name = "--algorithm",
     .member = &BuildCommand::algorithm,
     .help = "algorithm of the memory plan",
     .values = planner_names},
    {"--shape", &BuildCommand::shapes, kShapeHelp},
    {"--constant", &BuildCommand::constants, kConstantHelp},
    {"--strict", &BuildCommand::strict,
     "each call by a record of this very CPU, or nothing is written (exit code 3)"},
    {"--dry-run", &BuildCommand::dry_run, "say what would be built, and write nothing"},
    {"--force", &BuildCommand::force, "replace the package that is in DIR"},
};

auto target_of(const Build& build) {
  const Target& target = build.target;
  return std::tuple(Field{"triple", target.llvm_triple}, Field{"cpu", target.llvm_cpu},
                    Field{"features", build.cpu_features}, Field{"lanes", vector_lanes(target)},
                    Field{"threads", target.name.threads});
}

struct NamedLog {
  std::string name, sha256;
};
auto fields_of(Of<NamedLog> auto& log) {
  return std::tuple(Field{"name", log.name}, Field{"sha256", log.sha256});
}

// The package's metadata has the same names.
std::string json_text(const Build& build, const std::string& log_path) {
  const BuildSizes& sizes = build.sizes;
  const PackageFacts& facts = build.facts;
  const PackageOrigin& origin = facts.origin;
  const std::optional<OutputError>& error = facts.output_error;
  std::optional<NamedLog> log;
  if (!log_path.empty()) log = {.name = log_path, .sha256 = origin.log_sha256};
  return indented_json(std::tuple(
      Field{"name", build.name}, Field{"id", build.id},
      Field{"model",
            std::tuple(Field{"sha256", facts.model_sha256}, Field{"nodes", facts.model_nodes})},
      Field{"log", log}, Field{"variant", origin.variant}, Field{"options", origin.options},
      Field{"chosen_seconds", origin.chosen_seconds}, Field{"joint_seconds", origin.joint_seconds},
      Field{"target", target_of(build)}, Field{"written", build.is_written},
      Field{"right", build.reason.empty()},
      Field{"matches", std::tuple(Field{"exact", count(build, MatchLevel::exact)},
                                  Field{"network", count(build, MatchLevel::network)},
                                  Field{"family", count(build, MatchLevel::family)},
                                  Field{"default", count(build, MatchLevel::none)})},
      Field{"range_error", error ? std::optional(error->error) : std::nullopt},
      Field{"judged_on", error ? std::optional(error->data) : std::nullopt},
      Field{"accuracy", facts.accuracy},
      Field{"sizes",
            std::tuple(Field{"model_bytes", facts.model_bytes}, Field{"workspace", sizes.workspace},
                       Field{"weights", sizes.weights}, Field{"code_bytes", sizes.code_bytes})},
      Field{"files", build.files}, Field{"calls", facts.calls}));
}

std::string accuracy_text(const Build& build) {
  std::string text;
  const std::vector<RegionAccuracy>& accuracy = build.facts.accuracy;
  if (const std::optional<OutputError>& output = build.facts.output_error)
    text = fmt::format("accuracy    {:.1e} of an output's range off, on {}", output->error,
                       output->data);
  else
    text = "accuracy    not measured: nothing runs here on this target";
  const auto fast = std::ranges::count_if(
      accuracy, [](const RegionAccuracy& region) { return !region.algorithm.empty(); });
  text += fast == 0 ? "; each sum as the definition's"
                    : fmt::format("; {} by fast algorithms", counted(fast, "region"));
  if (accuracy.empty()) return text + "\n";
  const auto worst = std::ranges::max_element(accuracy, {}, &RegionAccuracy::error);
  return text + fmt::format("; the worst region {:.1e} ({})\n", worst->error, worst->region);
}

std::string memory_text(const BuildSizes& sizes, int64_t model_bytes) {
  std::string text;
  for (const BuildSizes::Workspace& pool : sizes.workspace)
    text +=
        fmt::format("workspace   {} bytes{} with inputs and outputs, at least {}\n", pool.bytes,
                    sizes.workspace.size() == 1 ? "" : " in " + pool.pool, pool.lower_bound_bytes);
  for (const BuildSizes::Weights& pool : sizes.weights)
    text += fmt::format(
        "weights     {} bytes{}: {} of the model, {} computed from it, {} of the file's head and "
        "padding\n",
        pool.bytes, sizes.weights.size() == 1 ? "" : " in " + pool.pool, pool.given_bytes,
        pool.prepared_bytes, pool.bytes - pool.given_bytes - pool.prepared_bytes);
  return text + fmt::format("code        {} bytes\nmodel       {} bytes of constants\n",
                            sizes.code_bytes, model_bytes);
}

std::string meaning_of(const std::string& path, bool is_library) {
  if (path == "LICENSES" || path.starts_with("lib/cmake") || path.starts_with("lib/pkgconfig"))
    return "";
  if (path.starts_with("include/")) return "what a program includes";
  if (path.starts_with("lib/")) return "kernels and driver";
  if (path.starts_with("src/"))
    return is_library ? "the driver as C99, for other flags"
                      : "runtime and kernels, to be compiled";
  if (path.ends_with(".cl")) return "the kernels, to be read";
  if (path.ends_with(".weights")) return "weights, to be mapped or read";
  if (path.ends_with("metadata.json")) return "what it was built from, call by call";
  if (path.ends_with("plan.csv")) return "the memory plan, for `dovetail plan`";
  if (path.ends_with("plan.svg")) return "the same as a picture";
  return path.ends_with("main.c") ? "a program to begin with" : "";
}

std::string files_text(const Build& build, const std::string& folder) {
  struct Line {
    std::string file, meaning;
    int64_t bytes = 0;
  };
  std::vector<Line> lines;
  const auto is_archive = [](const auto& file) {
    return file.first.ends_with(".a") || file.first.ends_with(".lib");
  };
  const bool is_library = std::ranges::any_of(build.files, is_archive);
  for (const auto& [path, bytes] : build.files)
    lines.push_back({path, meaning_of(path, is_library), bytes});
  const std::string head = build.is_written ? fmt::format("written to {}:\n", folder)
                                            : "nothing is written (--dry-run); it would be:\n";
  return "\n" + head +
         print_rows<Line>(lines, {{"file", &Line::file},
                                  {"bytes", [](const Line& line) { return line.bytes; }},
                                  {"", &Line::meaning}});
}

// "24 exact, 0 network, …" of the calls of one instruction set.
std::string matches_of(const std::vector<PackageCall>& calls, const std::string& code) {
  std::string text;
  for (const MatchLevel level :
       {MatchLevel::exact, MatchLevel::network, MatchLevel::family, MatchLevel::none}) {
    const auto count = std::ranges::count_if(
        calls, [&](const PackageCall& call) { return call.code == code && call.match == level; });
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, print(level));
  }
  return text;
}

// A line for each instruction set, which comes first where there are several.
std::string matches_text(const Build& build) {
  std::vector<std::string> codes;
  for (const PackageCall& call : build.facts.calls)
    if (std::ranges::count(codes, call.code) == 0) codes.push_back(call.code);
  std::string text;
  for (const std::string& code : codes)
    text += fmt::format("{:<12}{}{}{}\n", text.empty() ? "matches" : "", code,
                        code.empty() ? "" : ": ", matches_of(build.facts.calls, code));
  return text;
}

std::string text_of(const Build& build, const std::string& folder) {
  return fmt::format("{} ({}), build {}\n{}", build.name, build.facts.origin.variant,
                     build.id.substr(0, 8), matches_text(build)) +
         accuracy_text(build) + memory_text(build.sizes, build.facts.model_bytes) +
         files_text(build, folder);
}

Result<ExitCode> run_build(BuildCommand options, bool json) {
  if (options.models.size() != 1)
    return fail("build: {} models given, expected one; see dovetail build --help",
                options.models.size());
  options.model = options.models.front();
  const Listener listener = listener_on_stderr();
  const Result<Build> made = build_package(options, listener);
  if (!made) return fail("build: {}", made.error().message);
  const Build& build = *made;
  if (!build.reason.empty()) {
    listener.note(fmt::format("{}: {}; nothing is written", options.model, build.reason));
    return ExitCode::no_candidate;
  }
  if (options.strict && !build.misses.empty()) {
    for (const std::string& miss : build.misses) listener.note(miss);
    listener.note(fmt::format("{}: {} of {} calls without an exact record; nothing is written",
                              options.model, build.num_misses, build.facts.calls.size()));
    return ExitCode::replay_miss;
  }
  put(json ? result_json("dovetail-build-1", json_text(build, options.log))
           : text_of(build, options.folder));
  return ExitCode::done;
}

}  // namespace

Result<ExitCode> build_verb(Arguments arguments) {
  return parse_and_run<BuildCommand>(
      "build",
      "Builds a package of a tuned model: a library, a header, weights, and how to use them.\n\n"
      "  dovetail build resnet18.onnx --log tune.jsonl -o out\n"
      "  dovetail build resnet18.onnx --log tune.jsonl -o out --target cpu:arch=x86-64-v3 "
      "--strict\n",
      kBuildOptions, run_build, std::move(arguments));
}

}  // namespace dovetail
