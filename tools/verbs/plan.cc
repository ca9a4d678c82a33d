// SPDX-License-Identifier: Apache-2.0
// The verb `plan`: offsets for the buffers of a CSV file, and how far from the least they are.
#include <fmt/format.h>

#include <cstdio>
#include <tuple>

#include "campaign/indented_json.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/memory/plan_picture.h"
#include "core/memory/planner.h"
#include "core/memory/problem_text.h"
#include "tools/command_line/result_json.h"
#include "tools/command_line/verb_parser.h"
#include "tools/interrupt.h"
#include "tools/output.h"

namespace dovetail {
namespace {

struct PlanCommand {
  std::vector<std::string> files;
  std::string conflicts;
  std::string algorithm = "exact";
  std::optional<int64_t> capacity;
  std::vector<std::string> pools;
  std::optional<double> seconds;
  std::optional<int64_t> nodes;
  std::string output;
  std::string picture;
};

constexpr double kPlanSeconds = 10;

constexpr Option<PlanCommand> kPlanOptions[] = {
    {"FILE.csv", &PlanCommand::files,
     "id,lower,upper,size[,alignment][,pools][,offset][,access][,gaps]"},
    {"--conflicts", &PlanCommand::conflicts,
     "FILE of lines a,b: ids that conflict, in place of lifetimes"},
    {.name = "--algorithm",
     .member = &PlanCommand::algorithm,
     .help = "how offsets are found",
     .values = planner_names},
    {"--capacity", &PlanCommand::capacity, "bytes of the pool, where no --pool is given"},
    {"--pool", &PlanCommand::pools, "NAME:size=N,align=A,access=rw; once for each pool, in order"},
    {"--seconds", &PlanCommand::seconds,
     "time limit of exact, after which its best plan so far counts (10)"},
    {"--nodes", &PlanCommand::nodes,
     "the same limit in nodes of its search: gives the same plan on any machine"},
    {"-o", &PlanCommand::output, "write the plan to FILE, as CSV that can be read in again"},
    {"--picture", &PlanCommand::picture,
     "draw the plan to FILE.svg: bytes over time, pool by pool"},
};

Result<std::vector<Pool>> pools_of(const PlanCommand& command) {
  std::vector<Pool> pools;
  for (const std::string& text : command.pools) pools.push_back(TRY(parse_pool(text)));
  if (!command.capacity) return pools;
  if (!pools.empty()) return fail("--capacity and --pool given; expected one of them");
  if (*command.capacity < 0)
    return fail("--capacity {} found; expected 0 or more bytes", *command.capacity);
  pools.push_back(Pool{.limit_bytes = *command.capacity});
  return pools;
}

Result<PlanningProblem> read_planning_problem(const PlanCommand& command) {
  const std::string& path = command.files.front();
  PlanningProblem problem = TRY(parse_problem(TRY(read_file(path)), path, TRY(pools_of(command))));
  if (!command.conflicts.empty())
    problem.conflicts =
        TRY(parse_conflicts(TRY(read_file(command.conflicts)), command.conflicts, problem));
  return problem;
}

struct PoolPeak {
  std::string name;
  int64_t peak_bytes = 0;
  std::optional<int64_t> size_bytes;  // none: no limit
};

auto fields_of(Of<PoolPeak> auto& pool) {
  return std::tuple(Field{"name", pool.name}, Field{"peak_bytes", pool.peak_bytes},
                    Field{"size_bytes", pool.size_bytes});
}

std::vector<PoolPeak> peaks_of(const PlanningProblem& problem, const PlanningResult& result) {
  std::vector<PoolPeak> peaks;
  for (const int64_t bytes : pool_peaks(problem, result.plan)) {
    const Pool& pool = problem.pools[peaks.size()];
    peaks.push_back({.name = pool.name, .peak_bytes = bytes, .size_bytes = {}});
    if (pool.limit_bytes != kUnlimitedBytes) peaks.back().size_bytes = pool.limit_bytes;
  }
  return peaks;
}

std::string json_text(const PlanningProblem& problem, const PlanningResult& result) {
  return indented_json(std::tuple(
      Field{"peak_bytes", result.peak_bytes}, Field{"lower_bound_bytes", result.lower_bound_bytes},
      Field{"gap", result.gap()}, Field{"proved", result.is_proved()},
      Field{"algorithm", result.algorithm}, Field{"seconds", result.seconds}, Field{"valid", true},
      Field{"buffers", problem.buffers.size()}, Field{"pools", peaks_of(problem, result)}));
}

std::string text_of(const PlanningProblem& problem, const PlanningResult& result) {
  std::string text = fmt::format(
      "peak         {} bytes\nlower bound  {} bytes, gap {:.2f} %{}\nalgorithm    {}, {:.3f} s\n"
      "valid        {} buffers checked\n",
      result.peak_bytes, result.lower_bound_bytes, 100 * result.gap(),
      result.is_proved() ? ", proved: no plan is smaller" : "", result.algorithm, result.seconds,
      problem.buffers.size());
  if (problem.pools.size() == 1) return text;
  for (const PoolPeak& pool : peaks_of(problem, result))
    text += fmt::format("pool         {}: {} bytes\n", pool.name, pool.peak_bytes);
  return text;
}

Result<ExitCode> run_plan(const PlanCommand& command, bool json) {
  if (command.files.size() != 1)
    return fail("plan: {} files given, expected one FILE.csv; see dovetail plan --help",
                command.files.size());
  const double seconds = command.seconds.value_or(kPlanSeconds);
  if (!(seconds >= 0)) return fail("plan: --seconds {} found; expected 0 or more", seconds);
  if (command.seconds && command.nodes)
    return fail("plan: --seconds and --nodes given; expected one of them");
  TRY(builtin_planners().find(command.algorithm));
  const PlanningProblem problem = TRY(read_planning_problem(command));
  for (const std::string& file : {command.output, command.picture})
    if (!file.empty()) TRY(check_replaceable(file));
  catch_interrupts();
  const PlanningResult result = TRY(
      plan_memory(problem, command.algorithm,
                  {.seconds = seconds, .most_nodes = command.nodes, .is_stopped = interrupted}));
  if (!command.output.empty()) TRY(replace_file(command.output, print_plan(problem, result.plan)));
  if (!command.picture.empty())
    TRY(replace_file(command.picture,
                     plan_svg(problem, result.plan, {.title = command.files.front()})));
  put(json ? result_json("dovetail-plan-1", json_text(problem, result)) : text_of(problem, result));
  return interrupted() ? ExitCode::interrupted : ExitCode::done;
}

}  // namespace

Result<ExitCode> plan_verb(Arguments arguments) {
  return parse_and_run<PlanCommand>(
      "plan",
      "Plans memory: an offset for each buffer of a CSV file.\n\n"
      "  dovetail plan buffers.csv -o plan.csv\n"
      "  dovetail plan buffers.csv --pool fast:size=200704 --pool slow --algorithm hill_climb\n",
      kPlanOptions, run_plan, std::move(arguments));
}

}  // namespace dovetail
