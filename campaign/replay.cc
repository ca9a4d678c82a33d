// SPDX-License-Identifier: Apache-2.0
#include "campaign/replay.h"

#include <fmt/format.h>

#include "campaign/cache_choice.h"
#include "measure/reference/long_reference.h"
#include "measure/runner/local_runner.h"

namespace dovetail {
namespace {

// The seed of `check`, whose input data no campaign uses.
constexpr uint64_t kCheckSeed = 20090317;

MeasureInput input_of(const RecordedTask& task, const Target& target, uint64_t seed) {
  MeasureInput input;
  input.trial = task.match.best ? task.match.best->record.trial : 0;
  input.spec = task.space->task.spec;
  input.target = print(target.name);
  input.trace = task.candidate.trace;
  input.program = task.candidate.program;
  input.seed = seed;
  input.purpose = Purpose::confirm;
  return input;
}

void measure_again(Replay& replay, uint64_t seed, Runner& runner, const Listener& listener) {
  // Two are in flight: one is built while the other runs.
  const std::vector<RecordedTask>& tasks = replay.recorded.tasks;
  replay.results.resize(tasks.size());
  size_t submitted = 0;
  for (size_t i = 0; i < tasks.size() && !listener.interrupted(); ++i) {
    for (; submitted < tasks.size() && submitted < i + 2; ++submitted) {
      const TaskSpec& spec = tasks[submitted].space->task.spec;
      if (const auto note = long_reference_note(spec.region)) listener.note(*note);
      runner.submit(input_of(tasks[submitted], replay.recorded.target, seed));
    }
    replay.results[i] = runner.wait();
  }
}

}  // namespace

std::optional<double> seconds_of(const MeasureResult& result) {
  return result.status == Status::ok ? std::optional(result.seconds) : std::nullopt;
}

std::vector<NetworkTotal> networks_of(const Replay& replay) {
  const auto times_of = [&](const std::string& spec) {
    TaskTimes times;
    for (size_t i = 0; i < replay.results.size(); ++i)
      if (replay.recorded.tasks[i].space->task.spec.text == spec)
        times.seconds = seconds_of(replay.results[i]);
    return times;
  };
  return network_totals(layers_of(replay.recorded.workloads), times_of, replay.recorded.caches);
}

Result<Replay> run_again(const ReplayOptions& options, const Listener& listener) {
  const bool has_log = options.trace_file.empty();
  RecordedTasksOptions asked{.workloads = options.workloads,
                             .target = options.target,
                             .log = {},
                             .inputs = {options.shapes, options.constants},
                             .border = options.border,
                             .cache = options.cache};
  if (has_log)
    asked.log = options.log;
  else
    asked.trace = TRY(read_trace(options.trace_file));
  TRY(check_cache("replay", options.cache, TRY(parse_target_name(options.target))));
  Replay replay;
  replay.recorded = TRY(read_recorded_tasks(asked, listener));
  if (has_log) replay.refused = note_misses(replay.recorded.tasks, listener) && options.strict;
  if (replay.refused) return replay;
  const Caches caches = replay.recorded.caches;
  if (caches != Caches::hot && options.cache.empty())
    listener.note(fmt::format("with {} caches, as in the log", print(caches)));
  MeasureOptions measure;
  measure.caches = caches;
  const auto runner = TRY(make_local_runner(replay.recorded.target, measure));
  measure_again(replay, options.check ? kCheckSeed : 0, *runner, listener);
  for (const std::string& warning : runner->take_warnings()) listener.note("warning: " + warning);
  replay.interrupted = listener.interrupted();
  return replay;
}

}  // namespace dovetail
