// SPDX-License-Identifier: Apache-2.0
//
// throughput_bench [SPEC [TRIALS [TARGET]]]: candidates per minute that the runner builds, runs,
// checks and times, on random points of the operator's space, without a search. It measures the
// tool's own speed, not that of kernels.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <map>
#include <random>
#include <string>

#include "core/backends/backends.h"
#include "core/codegen/llvm/cpu_target.h"
#include "core/ir/region/work.h"
#include "measure/runner/local_runner.h"
#include "primitives/space/space.h"
#include "search/candidate.h"

namespace dovetail {
namespace {

constexpr size_t kAhead = 8;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Tally {
  std::map<Status, int> statuses;
  std::map<std::string, int> reasons;
  double build = 0, run = 0, check = 0, search = 0, best = 0;

  void add(const MeasureResult& result) {
    ++statuses[result.status];
    if (result.status != Status::ok) ++reasons[result.reason.substr(0, 160)];
    build += result.times.build_seconds;
    run += result.times.run_seconds;
    check += result.times.check_seconds;
    if (result.status == Status::ok && (best == 0 || result.seconds < best)) best = result.seconds;
  }
};

// The next point that lowers; empty trials are not counted.
MeasureInput next_candidate(const Space& space, int64_t trial, std::mt19937_64& random) {
  while (true) {
    MeasureInput input;
    input.trial = trial;
    input.spec = space.spec();
    input.trace = space.decode(trial == 1 ? space.default_point() : space.sample(random));
    Result<Candidate> candidate = materialize(space.spec(), space.target(), input.trace);
    if (!candidate) continue;
    input.program = std::move(candidate->program);
    return input;
  }
}

Result<void> run(const std::string& spec, int64_t trials, const std::string& target_name) {
  const Target target = TRY(resolve_target(target_name));
  const Space space = TRY(build_space(TRY(parse_task_spec(spec)), target));
  const auto runner = TRY(make_local_runner(target, {}));
  std::mt19937_64 random(0);
  Tally tally;
  const auto start = Clock::now();
  for (int64_t submitted = 0, done = 0; done < trials; ++done) {
    const auto searching = Clock::now();
    while (submitted < trials && runner->in_flight() < kAhead) {
      runner->submit(next_candidate(space, ++submitted, random));
    }
    tally.search += seconds_since(searching);
    tally.add(runner->wait());
  }
  const double wall = seconds_since(start);
  for (const auto& [status, count] : tally.statuses)
    fmt::print("{:>14} {}\n", print(status), count);
  for (const auto& [reason, count] : tally.reasons) fmt::print("{:>14} {}\n", count, reason);
  fmt::print("wall {:.2f} s: build {:.2f}, run {:.2f}, check {:.2f}, search {:.2f}\n", wall,
             tally.build, tally.run, tally.check, tally.search);
  fmt::print("best {:.4g} s, {:.1f} GFLOP/s of {:.1f}\n", tally.best,
             nominal_flops(space.spec().region) / tally.best * 1e-9, runner->peak_gflops());
  fmt::print("{:.0f} candidates a minute\n", static_cast<double>(trials) / wall * 60);
  for (const std::string& warning : runner->take_warnings()) fmt::print("warning: {}\n", warning);
  return {};
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  const std::string spec = argc > 1 ? argv[1] : "c2d:ci=16,co=32,h=14,w=14,k=3,p=1";
  const int64_t trials = argc > 2 ? std::stoll(argv[2]) : 300;
  const auto done = dovetail::run(spec, trials, argc > 3 ? argv[3] : "cpu");
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return done ? 0 : 1;
}
