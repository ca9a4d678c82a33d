// SPDX-License-Identifier: Apache-2.0
// `compare --simulate`: every strategy, space and seed as a run without the device, on all cores.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>

#include "campaign/compare/compare_options.h"
#include "campaign/compare/measured_spaces.h"
#include "campaign/compare/saved_runs.h"
#include "campaign/compare/small_spaces.h"
#include "campaign/compare/warm_starts.h"
#include "core/base/fail.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/record/line/json_fields.h"
#include "search/compare/fewest_trials.h"
#include "search/compare/simulate/simulated_space.h"
#include "search/compare/simulate/space_from_records.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;
using Spaces = SimulatedSpaces;

constexpr double kBudgetShare = 0.01;  // share of a space's points

SpaceDefaults defaults_of(const CompareOptions& options) {
  return {.target = options.target, .points = options.points};
}

SpaceToCompare to_compare(const fs::path& file, const SimulatedSpace& space,
                          const CompareOptions& options) {
  const MeasuredSpace& measured = space.measured();
  const auto points = static_cast<double>(measured.points.size());
  const auto share = std::max<int64_t>(1, static_cast<int64_t>(points * kBudgetShare));
  return {.about = {.name = name_of_space(file),
                    .spec = measured.task,
                    .target = measured.target,
                    .source = file.string(),
                    .tool = measured.tool,
                    .points = std::ssize(measured.points),
                    .valid = std::ssize(space.statistics().seconds),
                    .optimum_seconds = space.statistics().optimum(),
                    .median_seconds = space.statistics().median_seconds,
                    .trials = options.trials.value_or(share)},
          .statistics = space.statistics()};
}

Result<int64_t> fewest_trials(const SimulatedSpace& space, const Comparison& about,
                              int64_t trials) {
  const std::vector<Evaluation> points = evaluations_of(space.measured());
  TrialsToCheck check{.points = points,
                      .trials = trials,
                      .cutoff_start = about.cutoff_start,
                      .cutoff_end = about.cutoff_end};
  if (about.default_first) {
    const PointResult* first = space.measured().find(hash(space.space().default_trace()));
    if (first != nullptr)
      check.first = points[static_cast<size_t>(first - space.measured().points.data())];
  }
  return fewest_trials(check);
}

// Minutes of runs must not end in an error that the measurements tell beforehand.
Result<void> check_trials(const ComparisonInput& input, const Spaces& spaces) {
  for (size_t s = 0; s < spaces.size(); ++s) {
    const ComparedSpace& space = input.spaces[s].about;
    const Result<int64_t> fewest = fewest_trials(*spaces[s], input.about, space.trials);
    if (!fewest) return fail("compare: {}: {}", space.name, fewest.error().message);
    if (*fewest == space.trials) continue;
    const std::string given =
        input.about.budget_share
            ? fmt::format("{:g} % of {} points is {} trials", *input.about.budget_share * 100,
                          space.points, space.trials)
            : fmt::format("--trials is {}", space.trials);
    return fail("compare: {}: {}, too few for a score; give --trials {} or more", space.name, given,
                *fewest);
  }
  return {};
}

std::vector<BudgetOnSpace> budgets_of(const ComparisonInput& input) {
  std::vector<BudgetOnSpace> budgets;
  for (const SpaceToCompare& space : input.spaces)
    budgets.push_back({space.about.name, static_cast<double>(space.about.trials),
                       static_cast<double>(space.about.points)});
  return budgets;
}

// Runs of all strategies with their progress.
class SimulatedRuns {
 public:
  SimulatedRuns(const CompareOptions& options, const std::vector<Arm>& arms, const Spaces& spaces,
                ComparisonInput& into, SavedRuns& saved, const Listener& listener)
      : options_(options),
        arms_(arms),
        spaces_(spaces),
        into_(into),
        saved_(saved),
        listener_(listener) {}

  // Returns false if the user interrupts.
  Result<bool> run(const WarmStarts& warm) {
    const size_t seeds = into_.about.seeds.size();
    const size_t all = spaces_.size() * seeds * arms_.size();
    // Space by space, so that results cached for a space serve all of its runs at once.
    for_each_in_parallel(all, [&](size_t k) {
      if (listener_.interrupted() || failed_) return;
      const size_t arm = k % arms_.size(), seed = k / arms_.size() % seeds;
      const size_t space = k / arms_.size() / seeds;
      const std::string asked = asked_for(arm, space, seed);
      if (const RunToCompare* known = saved_.find(asked)) {
        into_.arms[arm].runs[space][seed] = *known;
      } else {
        Result<SimulatedRun> run = simulate(*spaces_[space], request(arm, space, seed, warm));
        if (run && run->stop == StopReason::interrupted) return;
        keep(arm, space, seed, std::move(run));
        save(asked, into_.arms[arm].runs[space][seed]);
      }
      report(all);
    });
    if (!problem_.empty()) return fail(problem_);
    return !listener_.interrupted();
  }

 private:
  SimulationRequest request(size_t arm, size_t space, size_t seed, const WarmStarts& warm) const {
    return {.strategy = arms_[arm].strategy,
            .cost_model = arms_[arm].cost_model,
            .warm_start = warm.model(arms_[arm], *spaces_[space]),
            .agent = warm.agent(arms_[arm], *spaces_[space]),
            .seed = into_.about.seeds[seed],
            .trials = into_.spaces[space].about.trials,
            .default_first = !options_.no_default,
            .interrupted = listener_.interrupted};
  }

  // Everything that decides a run, for SavedRuns.
  std::string asked_for(size_t arm, size_t space, size_t seed) const {
    const ComparedSpace& about = into_.spaces[space].about;
    const ArmToCompare& of = into_.arms[arm];
    JsonWriter asked;
    asked.text("tool", into_.about.tool);
    asked.text("strategy", of.strategy);
    asked.text("cost_model", of.cost_model);
    if (arms_[arm].warm) asked.text("train_on", options_.train_on);
    if (arms_[arm].warm) asked.integer("pretrain_trials", options_.pretrain_trials);
    asked.text("space", about.source);
    asked.text("spec", about.spec);
    asked.integer("points", about.points);
    asked.real("optimum_seconds", about.optimum_seconds);
    asked.integer("seed", static_cast<int64_t>(into_.about.seeds[seed]));
    asked.integer("trials", about.trials);
    asked.boolean("default_first", into_.about.default_first);
    return std::move(asked).finish();
  }

  void save(const std::string& asked, const RunToCompare& run) {
    const std::scoped_lock lock(mutex_);
    if (failed_) return;
    const Result<void> saved = saved_.add(asked, run);
    if (saved) return;
    failed_ = true;
    problem_ = saved.error().message;
  }

  void keep(size_t arm, size_t space, size_t seed, Result<SimulatedRun> run) {
    if (run) {
      into_.arms[arm].runs[space][seed] = std::move(*run);
      return;
    }
    const std::scoped_lock lock(mutex_);
    failed_ = true;
    problem_ = fmt::format("{} on {}: {}", arms_[arm].name, into_.spaces[space].about.name,
                           run.error().message);
  }

  void report(size_t all) {
    constexpr double kEverySeconds = 5;
    const std::scoped_lock lock(mutex_);
    ++done_;
    const double seconds = watch_.seconds();
    if (seconds < reported_ + kEverySeconds && done_ < all) return;
    reported_ = seconds;
    const double left = seconds / static_cast<double>(done_) * static_cast<double>(all - done_);
    listener_.note(fmt::format("{} of {} simulated runs, {:.0f} s left", done_, all, left));
  }

  const CompareOptions& options_;
  const std::vector<Arm>& arms_;
  const Spaces& spaces_;
  ComparisonInput& into_;
  SavedRuns& saved_;
  const Listener& listener_;
  std::mutex mutex_;
  std::atomic<bool> failed_ = false;
  std::string problem_;
  size_t done_ = 0;
  double reported_ = 0;
  Stopwatch watch_;
};

Result<void> check(const CompareOptions& options, const std::vector<Arm>& arms) {
  if (!options.workloads.empty())
    return fail("compare: --simulate has its workloads from the measured spaces; name none");
  for (const Arm& arm : arms) {
    if (arm.variant == "joint") continue;
    return fail(
        "compare: strategy {}: variants are for live comparisons; a measured "
        "space is joint",
        arm.name);
  }
  return {};
}

ComparisonInput input_of(const CompareOptions& options, const std::vector<Arm>& arms,
                         const std::vector<fs::path>& files, const Spaces& spaces) {
  constexpr int64_t kSeeds = 20;
  ComparisonInput input;
  input.about = about_comparison(options, options.seeds.value_or(kSeeds));
  if (!options.trials) input.about.budget_share = kBudgetShare;
  for (size_t s = 0; s < spaces.size(); ++s)
    input.spaces.push_back(to_compare(files[s], *spaces[s], options));
  input.about.kind = "simulated";
  input.about.score_is = "way_to_optimum";
  input.about.target = input.spaces.front().about.target;
  for (const Arm& arm : arms) {
    input.arms.push_back(
        {.name = arm.name,
         .strategy = print(arm.strategy),
         .cost_model = is_warm_model(arm) ? arm.cost_model + ", warm" : arm.cost_model,
         .variant = arm.variant,
         .runs = {spaces.size(), std::vector<RunToCompare>(input.about.seeds.size())}});
  }
  return input;
}

}  // namespace

Result<RunsToCompare> runs_on_spaces(const CompareOptions& options, const std::vector<Arm>& arms,
                                     const Listener& listener) {
  TRY(check(options, arms));
  const RunsToCompare interrupted{.input = {}, .ending = Ending::interrupted};
  const std::vector<fs::path> files = TRY(find_spaces(options.simulate));
  const std::optional<Spaces> spaces = TRY(read_spaces(files, defaults_of(options), listener));
  if (!spaces) return interrupted;
  RunsToCompare outcome{.input = input_of(options, arms, files, *spaces)};
  ComparisonInput& input = outcome.input;
  TRY(check_trials(input, *spaces));
  note_small_spaces(budgets_of(input), listener);
  const std::optional<WarmStarts> warm = TRY(warm_starts(options, arms, *spaces, listener));
  if (!warm) return interrupted;
  SavedRuns saved = TRY(SavedRuns::open(options.folder));
  if (saved.size() > 0) listener.note(fmt::format("{} runs are in {}", saved.size(), saved.path()));
  if (!TRY(SimulatedRuns(options, arms, *spaces, input, saved, listener).run(*warm)))
    return interrupted;
  TRY(saved.finish());
  return outcome;
}

}  // namespace dovetail
