// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "tools/experiment.h"
#include "tools/strategy_help.h"

namespace dovetail {
namespace {

using Arguments = std::vector<std::string>;

constexpr const char* kAbout =
    "dovetail searches the layout of tensors and the loops over them together.\n\n"
    "usage: dovetail VERB ...       dovetail VERB --help\n\n"
    "  tune WORKLOAD... --log FILE      search for fast kernels, every measurement into the log\n"
    "  replay WORKLOAD... --log FILE    run the best of a log again\n"
    "  bench WORKLOAD... --log FILE     the best of a log beside oneDNN, LibTorch and OpenBLAS\n"
    "  show SPEC|RECORD|MODEL           look inside: space, trace, nest, code, features, layout\n"
    "  log ACTION LOG...                what logs hold: best, stats, verify, distill, merge, "
    "export\n"
    "  bruteforce SPEC -o DIR           measure every point of a reduced space\n"
    "  doctor                           what this machine can do\n\n"
    "A WORKLOAD is a spec (gmm:m=512,n=512,k=512), @FILE (a suite: `name = spec` lines), "
    "MODEL.onnx or "
    "MODEL.graph.\n"
    "exit codes: 0 done, 1 bad input, 2 a task without a valid candidate, 3 --strict replay miss,\n"
    "            4 device failure, 130 interrupted (everything saved)\n";

// Part of the command line's contract, and still to come.
constexpr std::string_view kLaterVerbs[] = {"compare", "run", "build", "plan", "report"};
constexpr std::string_view kLaterOptions[] = {"--cold"};
constexpr std::string_view kLaterLogActions[] = {"migrate"};

template <typename List>
bool contains(const List& list, std::string_view text) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

template <typename Number>
std::string check_whole(const std::string& text, Number least) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least) {
    return fmt::format("found '{}', expected a whole number of at least {}", text, least);
  }
  return {};
}

std::string check_positive(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
      value <= 0) {
    return fmt::format("found '{}', expected a positive number", text);
  }
  return {};
}

CLI::Validator count_validator() {
  return {[](std::string& text) { return check_whole<int64_t>(text, 1); }, "N"};
}
CLI::Validator seed_validator() {
  return {[](std::string& text) { return check_whole<uint64_t>(text, 0); }, ""};
}
CLI::Validator positive_validator() {
  return {[](std::string& text) { return check_positive(text); }, ""};
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// One verb's parser, without CLI11's habits: one line an error, no exceptions outside.
class VerbParser {
 public:
  VerbParser(const std::string& verb, const std::string& about)
      : verb_(verb), app_(about, "dovetail " + verb) {
    app_.allow_extras();
    app_.option_defaults()->always_capture_default();
    app_.set_help_flag("--help,-h", "print this text");
  }
  CLI::App& app() { return app_; }

  // Whether help was asked for; then text() has it.
  Result<bool> parse(Arguments arguments) {
    std::reverse(arguments.begin(), arguments.end());
    try {
      app_.parse(arguments);
    } catch (const CLI::CallForHelp&) {
      return true;
    } catch (const CLI::ParseError& error) {
      return fail(
          fmt::format("{}: {}; see dovetail {} --help", verb_, first_line(error.what()), verb_));
    }
    for (const std::string& extra : app_.remaining()) TRY(refuse(extra));
    return false;
  }
  std::string text() const { return app_.help(); }

 private:
  Result<void> refuse(const std::string& extra) const {
    const std::string option = extra.substr(0, extra.find('='));
    if (contains(kLaterOptions, option)) {
      return fail(fmt::format("{}: option {} is not supported by this version", verb_, option));
    }
    const char* what = extra.starts_with("-") ? "unknown option" : "unexpected argument";
    return fail(fmt::format("{}: {} {}; see dovetail {} --help", verb_, what, option, verb_));
  }

  std::string verb_;
  CLI::App app_;
};

constexpr const char* kWorkloadHelp = "spec, @FILE (suite), MODEL.onnx or MODEL.graph";
constexpr const char* kTargetHelp =
    "cpu, cpu:threads=2, cpu:arch=NAME, opencl, opencl:PLATFORM, opencl:profile=FILE";

void add_shape_option(CLI::App& app, std::vector<std::string>& shapes) {
  app.add_option("--shape", shapes,
                 "NAME=1,3,224,224: shape of a model's dynamic input; may repeat")
      ->default_str("")
      ->allow_extra_args(false);
}

void add_tune_options(CLI::App& app, TuneOptions& options) {
  app.add_option("WORKLOAD", options.workloads, kWorkloadHelp)->default_str("");
  app.add_option("--target", options.target, kTargetHelp);
  app.add_option("--trials", options.trials, "candidates to measure, a task")
      ->check(count_validator());
  app.add_option("--seconds", options.seconds, "time limit, a task")->check(positive_validator());
  app.add_option("--patience", options.patience, "stop after so many trials without a better one")
      ->check(count_validator());
  app.add_option("--strategy", options.strategy,
                 "what proposes candidates: NAME or NAME:OPTION=VALUE,... (below)");
  app.add_option("--variant", options.variant, "what is searched: joint, no_texture, loop_only");
  app.add_option("--layout", options.layout,
                 "of loop_only: nohw, nhwo, hwon or nohw16o, for every tensor")
      ->default_str("");
  app.add_option("--cost-model", options.cost_model,
                 "what ranks candidates: none, random, roofline, xgboost");
  app.add_option("--warm-start", options.warm_start,
                 "FILE that --save-model wrote: what xgboost begins with")
      ->default_str("");
  app.add_option("--save-model", options.save_model,
                 "FILE for what xgboost learnt, of all tasks together")
      ->default_str("");
  app.add_option("--seed", options.seed, "of everything random")->check(seed_validator());
  app.add_option("--log", options.log, "file of records (required)");
  add_shape_option(app, options.shapes);
  app.add_flag("--resume", options.resume, "continue the campaign of the log");
  app.add_flag("--append", options.append, "add a campaign to the log");
  app.add_flag("--no-default", options.no_default, "do not measure the default trace first");
  app.add_option("--results-from", options.results_from,
                 "a log that answers instead of a device; what it lacks is rejected; may repeat")
      ->default_str("")
      ->allow_extra_args(false);
  app.add_flag("--json", options.json, "one JSON object on stdout instead of a table");
  app.footer(strategy_help());
}

Result<void> check_tune(const TuneOptions& options) {
  if (options.workloads.empty()) return fail("tune: no WORKLOAD given; see dovetail tune --help");
  if (options.log.empty()) return fail("tune: --log FILE is missing: every measurement goes there");
  if (options.resume && options.append) {
    return fail("tune: --resume and --append exclude each other: continue a campaign, or add one");
  }
  return {};
}

// Takes --experiment out of the arguments and puts the file's options in.
Result<std::string> expand_experiment(Arguments& arguments, bool& found) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string path;
    size_t taken = 1;
    if (arguments[i].starts_with("--experiment=")) {
      path = arguments[i].substr(std::string("--experiment=").size());
    } else if (arguments[i] == "--experiment") {
      if (i + 1 == arguments.size()) return fail("tune: --experiment needs a FILE.json");
      path = arguments[i + 1];
      taken = 2;
    } else {
      continue;
    }
    arguments.erase(arguments.begin() + static_cast<ptrdiff_t>(i),
                    arguments.begin() + static_cast<ptrdiff_t>(i + taken));
    TuneOptions probe;
    VerbParser parser("tune", "");
    add_tune_options(parser.app(), probe);
    if (TRY(parser.parse(arguments))) return std::string();
    const Experiment experiment = TRY(read_experiment(path, arguments, !probe.workloads.empty()));
    arguments.insert(arguments.end(), experiment.arguments.begin(), experiment.arguments.end());
    found = true;
    return experiment.json;
  }
  return std::string();
}

Result<Command> parse_tune(Arguments arguments) {
  TuneOptions options;
  options.arguments = arguments;
  VerbParser parser("tune", "Searches for the fastest candidate of every task of the workloads.");
  add_tune_options(parser.app(), options);
  std::string ignored;
  bool from_file = false;
  const std::string experiment = TRY(expand_experiment(arguments, from_file));
  parser.app().add_option("--experiment", ignored, "FILE.json with any of these options");
  if (TRY(parser.parse(std::move(arguments)))) return Command(TextAnswer{parser.text()});
  TRY(check_tune(options));
  options.experiment = experiment;
  return Command(std::move(options));
}

Result<Command> parse_replay(Arguments arguments) {
  ReplayOptions options;
  VerbParser parser("replay",
                    "Runs the best trace of a log again, for every task of the workloads.");
  parser.app().add_option("WORKLOAD", options.workloads, kWorkloadHelp)->default_str("");
  parser.app().add_option("--target", options.target, kTargetHelp);
  parser.app().add_option("--log", options.log, "file of records (required)");
  add_shape_option(parser.app(), options.shapes);
  parser.app().add_flag("--strict", options.strict, "exact matches only; a miss is exit code 3");
  parser.app().add_flag("--check", options.check, "check on other numbers than the campaign did");
  parser.app().add_flag("--json", options.json, "one JSON object on stdout instead of a table");
  if (TRY(parser.parse(std::move(arguments)))) return Command(TextAnswer{parser.text()});
  if (options.workloads.empty())
    return fail("replay: no WORKLOAD given; see dovetail replay --help");
  if (options.log.empty()) return fail("replay: --log FILE is missing");
  return Command(std::move(options));
}

Result<Command> parse_bench(Arguments arguments) {
  BenchOptions options;
  VerbParser parser("bench", "Times the best of a log beside other libraries, in turn.");
  parser.app().add_option("WORKLOAD", options.workloads, kWorkloadHelp)->default_str("");
  parser.app().add_option("--target", options.target, kTargetHelp);
  parser.app().add_option("--log", options.log,
                          "file of records, or none: default traces (required)");
  parser.app()
      .add_option("--against", options.against,
                  "onednn, libtorch, openblas, FILE with rows {spec, peer, seconds}; by commas; or "
                  "none")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str("onednn,libtorch,openblas");
  parser.app()
      .add_option("--beside", options.beside,
                  "NAME=LOG: the best of another log (none: default traces) in turn with them; may "
                  "repeat")
      ->allow_extra_args(false)
      ->default_str("");
  parser.app().add_option("--save", options.save,
                          "FILE: keeps each row as it is measured; the same command then goes on");
  add_shape_option(parser.app(), options.shapes);
  parser.app().add_flag("--json", options.json, "one JSON object on stdout instead of a table");
  if (TRY(parser.parse(std::move(arguments)))) return Command(TextAnswer{parser.text()});
  if (options.workloads.empty()) return fail("bench: no WORKLOAD given; see dovetail bench --help");
  if (options.log.empty()) return fail("bench: --log FILE is missing");
  return Command(std::move(options));
}

constexpr std::string_view kShown[] = {"space", "trace", "nest",     "source",
                                       "ir",    "asm",   "features", "layout"};

Result<Command> parse_show(Arguments arguments) {
  ShowOptions options;
  VerbParser parser("show", "Looks inside an operator, a record of a log or a model.");
  std::vector<std::string> subjects;
  parser.app()
      .add_option("SUBJECT", subjects, "spec, LOG#CAMPAIGN.TRIAL, MODEL.onnx or MODEL.graph")
      ->default_str("");
  parser.app().add_option("--what", options.what,
                          "space, trace, nest, source, ir, asm, features or layout");
  parser.app().add_option("--target", options.target, kTargetHelp);
  parser.app().add_option("--trace", options.trace_file,
                          "FILE with a trace instead of the default");
  add_shape_option(parser.app(), options.shapes);
  parser.app().add_flag("--json", options.json, "one JSON object on stdout instead of the text");
  if (TRY(parser.parse(std::move(arguments)))) return Command(TextAnswer{parser.text()});
  if (subjects.size() != 1) {
    return fail(fmt::format("show: {} subjects given, expected one spec, record or model",
                            subjects.size()));
  }
  options.what_of = subjects.front();
  if (!contains(kShown, options.what)) {
    return fail(fmt::format("show: unknown --what '{}'; expected one of: {}", options.what,
                            fmt::join(kShown, ", ")));
  }
  return Command(std::move(options));
}

Result<Command> parse_doctor(Arguments arguments) {
  DoctorOptions options;
  VerbParser parser("doctor", "Measures what this machine can do and says what would help.");
  parser.app().add_option("--profile", options.profile, "write the target's limits to FILE");
  parser.app().add_option("--target", options.target, "whose limits --profile writes (cpu)");
  parser.app().add_flag("--json", options.json, "one JSON object on stdout instead of a table");
  if (TRY(parser.parse(std::move(arguments)))) return Command(TextAnswer{parser.text()});
  if (options.target && options.profile.empty()) {
    return fail("doctor: --target needs --profile FILE");
  }
  return Command(std::move(options));
}

constexpr std::string_view kLogActions[] = {"best",    "stats", "verify",
                                            "distill", "merge", "export"};
constexpr std::string_view kRewritingLogActions[] = {"distill", "merge", "export"};

Result<void> check_log_options(const LogOptions& options) {
  if (contains(kLaterLogActions, options.action)) {
    return fail(fmt::format("log: {} is not supported by this version", options.action));
  }
  if (!contains(kLogActions, options.action)) {
    return fail(fmt::format("log: unknown action '{}'; expected one of: {}", options.action,
                            fmt::join(kLogActions, ", ")));
  }
  if (options.logs.empty()) return fail(fmt::format("log {}: no LOG given", options.action));
  const bool rewrites = contains(kRewritingLogActions, options.action);
  if (!rewrites && !options.output.empty()) {
    return fail(
        fmt::format("log {}: -o is of {}", options.action, fmt::join(kRewritingLogActions, ", ")));
  }
  if (rewrites && options.json && options.output.empty()) {
    return fail(fmt::format("log {}: --json needs -o FILE: it counts what is written there",
                            options.action));
  }
  if (options.action != "export" && !options.format.empty()) {
    return fail(fmt::format("log {}: --format is of export", options.action));
  }
  if (options.format.empty() || options.format == "t4" || options.format == "csv") return {};
  return fail(fmt::format("log export: unknown --format '{}'; expected t4 or csv", options.format));
}

Result<Command> parse_log(Arguments arguments) {
  LogOptions options;
  VerbParser parser("log", "What logs hold, whether all is well, and logs made of logs.");
  std::vector<std::string> words;
  parser.app()
      .add_option("ACTION", words, fmt::format("{}, then LOG...", fmt::join(kLogActions, ", ")))
      ->default_str("");
  parser.app().add_option("-o", options.output, "FILE, of distill, merge and export; else stdout");
  parser.app().add_option("--format", options.format, "of export: t4 (as given without) or csv");
  parser.app().add_flag("--json", options.json, "one JSON object on stdout instead of a table");
  if (TRY(parser.parse(std::move(arguments)))) return Command(TextAnswer{parser.text()});
  if (words.empty()) {
    return fail(
        fmt::format("log: no action given; expected one of: {}", fmt::join(kLogActions, ", ")));
  }
  options.action = words.front();
  options.logs.assign(words.begin() + 1, words.end());
  TRY(check_log_options(options));
  return Command(std::move(options));
}

Result<Command> parse_bruteforce(Arguments arguments) {
  BruteforceOptions options;
  VerbParser parser("bruteforce", "Measures every point of a reduced space of an operator.");
  std::vector<std::string> specs;
  parser.app().add_option("SPEC", specs, "of one operator")->default_str("");
  parser.app().add_option("--target", options.target, kTargetHelp);
  parser.app().add_option("--space", options.space, "reduced: domains cut down around the default");
  parser.app()
      .add_option("--points", options.points, "of the space, at most")
      ->check(count_validator());
  parser.app()
      .add_option("-o", options.folder, "DIR for log.jsonl and space.json.gz (required)")
      ->default_str("");
  parser.app().add_flag("--json", options.json, "one JSON object on stdout instead of a table");
  if (TRY(parser.parse(std::move(arguments)))) return Command(TextAnswer{parser.text()});
  if (specs.size() != 1)
    return fail(fmt::format("bruteforce: {} specs given, expected one", specs.size()));
  if (options.folder.empty()) return fail("bruteforce: -o DIR is missing");
  if (options.space != "reduced")
    return fail(fmt::format("bruteforce: unknown --space '{}'; expected reduced", options.space));
  options.spec = specs.front();
  return Command(std::move(options));
}

struct Verb {
  std::string_view name;
  Result<Command> (*parse)(Arguments);
};
constexpr Verb kVerbs[] = {
    {"tune", parse_tune},
    {"replay", parse_replay},
    {"bench", parse_bench},
    {"show", parse_show},
    {"doctor", parse_doctor},
    {"log", parse_log},
    {"bruteforce", parse_bruteforce},
};

}  // namespace

Result<Command> parse_command_line(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return fail("no verb given; see dovetail --help");
  const std::string& verb = arguments.front();
  if (verb == "--help" || verb == "-h" || verb == "help") return Command(TextAnswer{kAbout});
  if (verb == "--version") return Command(TextAnswer{"dovetail " DOVETAIL_VERSION "\n"});
  for (const Verb& known : kVerbs) {
    if (known.name == verb) return known.parse(Arguments(arguments.begin() + 1, arguments.end()));
  }
  if (contains(kLaterVerbs, verb)) {
    return fail(fmt::format("verb {} is not supported by this version", verb));
  }
  return fail(fmt::format(
      "unknown verb '{}'; expected tune, replay, bench, show, doctor, log or bruteforce", verb));
}

}  // namespace dovetail
