// SPDX-License-Identifier: Apache-2.0
#include "search/compare/simulate/pretrained.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "core/base/fail.h"
#include "search/strategies/points/points.h"
#include "search/strategies/points/unseen_points.h"
#include "search/strategies/ppo/ppo.h"
#include "search/strategies/ppo/ppo_drafter.h"

namespace dovetail {
namespace {

constexpr double kTrialsOfTask = 256;

// One space, as a task that is begun again and again.
class Lesson {
 public:
  Lesson(const SimulatedSpace& space, Agent& agent, const AgentPretraining& options)
      : space_(space), drafter_(space.space(), agent), options_(options) {
    const PointResult* first = space.measured().find(hash(space.space().default_trace()));
    const bool known = first != nullptr && first->status == Status::ok;
    first_seconds_ = known ? first->seconds : space.statistics().median_seconds;
  }

  // Adds the decisions that make the fastest points, in states at random times of a campaign, so
  // that an agent sees tasks with nothing known yet and later ones.
  void add_fastest(double share, std::mt19937_64& rng, std::vector<Decision>& decisions) const {
    std::vector<const PointResult*> fastest;
    for (const PointResult& point : space_.measured().points)
      if (point.status == Status::ok) fastest.push_back(&point);
    std::ranges::sort(fastest, {}, [](const PointResult* point) {
      return std::pair(point->seconds, point->trace_hash);
    });
    fastest.resize(static_cast<size_t>(std::ceil(share * static_cast<double>(fastest.size()))));
    const double most_reward = std::max(0.0, ppo_reward(fastest.front()->seconds / first_seconds_));
    for (const PointResult* point : fastest) {
      const SearchProgress progress{.trials = draw_fraction(rng) * kTrialsOfTask,
                                    .best_reward = draw_fraction(rng) * most_reward};
      const std::optional<Point> made = point_of(*point);
      if (!made) continue;
      Draft draft = drafter_.retrace(*made, progress);
      for (std::vector<Decision>* of : {&draft.layout, &draft.loops}) {
        for (Decision& decision : *of) {
          decision.value = ppo_reward(point->seconds / first_seconds_);
          decisions.push_back(std::move(decision));
        }
      }
    }
  }

  // Draws a round's points of this space: layouts, and some loops for each.
  void draw(std::vector<Episode>& episodes) {
    if (rounds_++ % options_.fresh_every == 0) progress_ = {};
    const SearchProgress before = progress_;
    share_sum_ = 0;
    const auto layouts = static_cast<size_t>(options_.layouts);
    const auto others = static_cast<size_t>(options_.loops - 1);
    std::vector<Draft> first = drafter_.draw(std::vector<const Point*>(layouts), before);
    std::vector<const Point*> bases;
    for (const Draft& draft : first) bases.insert(bases.end(), others, &draft.point);
    std::vector<Draft> more = drafter_.draw(bases, before);
    for (size_t i = 0; i < layouts; ++i) {
      double best = add_loops(first[i], episodes);
      for (size_t k = 0; k < others; ++k)
        best = std::max(best, add_loops(more[i * others + k], episodes));
      if (first[i].layout.empty()) continue;
      episodes.push_back({.decisions = std::move(first[i].layout), .reward = best});
    }
  }

  // Mean share over the last round.
  double mean_share() const {
    return share_sum_ / static_cast<double>(options_.layouts * options_.loops);
  }
  const std::string& task() const { return space_.measured().task; }

 private:
  double add_loops(Draft& draft, std::vector<Episode>& episodes) {
    const double reward = reward_of(draft.point);
    progress_.trials += 1;
    progress_.best_reward = std::max(progress_.best_reward, reward);
    if (!draft.loops.empty())
      episodes.push_back({.decisions = std::move(draft.loops), .reward = reward});
    return reward;
  }

  // The file omits parameters of one value. Empty: the point decodes to another trace.
  std::optional<Point> point_of(const PointResult& measured) const {
    const Space& space = space_.space();
    Point wanted = space.default_point();
    for (size_t k = 0; k < wanted.size(); ++k) {
      const auto at = std::ranges::find_if(
          space_.measured().parameters,
          [&](const std::string& name) { return is_called(space.parameters()[k], name); });
      const auto column = static_cast<size_t>(at - space_.measured().parameters.begin());
      if (column < measured.values.size()) wanted[k] = measured.values[column];
    }
    Point point = repair(space, wanted);
    if (hash(space.decode(point)) != measured.trace_hash) return std::nullopt;
    return point;
  }

  double reward_of(const Point& point) {
    const PointResult* found = space_.measured().find(hash(space_.space().decode(point)));
    if (found == nullptr || found->status != Status::ok) return kWorstPpoReward;
    share_sum_ += space_.statistics().optimum() / found->seconds;
    return ppo_reward(found->seconds / first_seconds_);
  }

  const SimulatedSpace& space_;
  Drafter drafter_;
  const AgentPretraining& options_;
  double first_seconds_ = 0;
  int64_t rounds_ = 0;
  SearchProgress progress_;
  double share_sum_ = 0;
};

AgentOptions agent_options(const AgentPretraining& options, const AgentShape& shape) {
  return {.state_size = shape.state_size,
          .actors = shape.actors,
          .seed = options.seed,
          .hidden = shape.hidden,
          .learning_rate = options.learning_rate,
          .entropy_weight = options.entropy,
          .epochs = options.epochs,
          .minibatch = options.minibatch,
          .interrupted = options.interrupted};
}

// Number of first and of last rounds in a report, so that shares are of some hundred points.
constexpr int64_t kReportedRounds = 8;

void report(const std::vector<Lesson>& lessons, int64_t round, int64_t rounds,
            std::vector<PretrainedTask>& tasks) {
  const int64_t reported = std::min(kReportedRounds, rounds);
  for (size_t i = 0; i < lessons.size(); ++i) {
    const double part = lessons[i].mean_share() / static_cast<double>(reported);
    if (round < reported) tasks[i].first_share += part;
    if (round >= rounds - reported) tasks[i].last_share += part;
  }
}

Result<TrainingRows> rows_of(const SimulatedSpace& space, const PretrainingOptions& options) {
  TrainingRows rows;
  UnseenPoints unseen(space.space(), options.seed);
  const double best = space.statistics().optimum();
  while (rows.labels.size() < options.points && !options.interrupted()) {
    const std::optional<ProposedPoint> point = unseen.draw();
    if (!point) break;
    const PointResult* measured = space.measured().find(point->trace.key);
    if (measured == nullptr) continue;  // illegal
    const Candidate candidate = TRY(space.candidate(point->trace, /*with_features=*/true));
    rows.features.push_back(candidate.known->features);
    const bool ok = measured->status == Status::ok;
    rows.labels.push_back(ok ? static_cast<float>(best / measured->seconds) : 0);
  }
  return rows;
}

}  // namespace

std::string_view operator_of(std::string_view spec) { return spec.substr(0, spec.find(':')); }

std::vector<const SimulatedSpace*> spaces_without(
    std::span<const std::unique_ptr<SimulatedSpace>> spaces, std::string_view without) {
  std::vector<const SimulatedSpace*> others;
  for (const auto& space : spaces)
    if (operator_of(space->measured().task) != without) others.push_back(space.get());
  return others;
}

Result<SavedModel> pretrained_model(std::span<const std::unique_ptr<SimulatedSpace>> spaces,
                                    std::string_view without, const PretrainingOptions& options) {
  TrainingRows rows;
  for (const SimulatedSpace* space : spaces_without(spaces, without))
    append(rows, TRY(rows_of(*space, options)));
  if (rows.labels.empty())
    return fail("no measured space of another operator than {} to train a model on", without);
  return train_saved_model(rows, options.seed);
}

Result<PretrainedAgent> pretrained_agent(std::span<const SimulatedSpace* const> spaces,
                                         const AgentPretraining& options) {
  if (spaces.empty()) return fail("no measured space to train an agent on");
  const AgentShape shape = ppo_shape({.hidden = options.hidden});
  const std::unique_ptr<Agent> agent = TRY(load_agent(agent_options(options, shape)));
  PretrainedAgent trained{.agent = {.shape = shape, .tasks = {}, .trials = 0, .weights = {}},
                          .tasks = {}};
  std::vector<Lesson> lessons;
  for (const SimulatedSpace* space : spaces) {
    lessons.emplace_back(*space, *agent, options);
    trained.tasks.push_back({.task = lessons.back().task()});
  }
  if (options.imitated > 0) {
    std::mt19937_64 rng(options.seed);
    std::vector<Decision> decisions;
    for (const Lesson& lesson : lessons) lesson.add_fastest(options.imitated, rng, decisions);
    agent->imitate(decisions, options.passes);
  }
  const int64_t of_round = int64_t{options.layouts} * options.loops;
  const int64_t rounds = (options.trials + of_round - 1) / of_round;
  for (int64_t round = 0; round < rounds && !trained.interrupted; ++round) {
    std::vector<Episode> episodes;
    for (Lesson& lesson : lessons)
      if (!options.interrupted()) lesson.draw(episodes);
    agent->learn(episodes);
    report(lessons, round, rounds, trained.tasks);
    for (PretrainedTask& task : trained.tasks) task.trials += of_round;
    trained.interrupted = options.interrupted();
  }
  for (const PretrainedTask& task : trained.tasks)
    trained.agent.add_training(task.task, task.trials);
  trained.agent.weights = agent->weights();
  return trained;
}

}  // namespace dovetail
