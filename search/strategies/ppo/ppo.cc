// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/ppo/ppo.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "search/agent/agent.h"
#include "search/strategies/points/best_points.h"
#include "search/strategies/points/points.h"
#include "search/strategies/points/scored_points.h"
#include "search/strategies/points/unseen_points.h"
#include "search/strategies/ppo/ppo_drafter.h"
#include "search/strategies/strategy_entry.h"

namespace dovetail {
namespace {

constexpr size_t kEpisodesOfUpdate = 16;

class PpoStrategy final : public Strategy {
 public:
  PpoStrategy(const StrategyContext& context, const PpoOptions& options,
              std::unique_ptr<Agent> agent)
      : unseen_(context.space, context.seed),
        scorer_(context.scorer),
        options_(options),
        agent_(std::move(agent)),
        drafter_(context.space, *agent_),
        awaited_(context.space),
        layouts_(context.space, static_cast<size_t>(options.kept)),
        before_{.shape = ppo_shape(options), .tasks = {}, .trials = 0, .weights = {}} {
    if (context.agent == nullptr) return;
    before_.tasks = context.agent->tasks;
    before_.trials = context.agent->trials;
  }

  Result<std::vector<KeyedTrace>> propose(size_t n) override {
    std::vector<KeyedTrace> traces;
    while (traces.size() < n) {
      const size_t before = traces.size();
      if (draw_fraction(unseen_.rng()) >= options_.epsilon) explore(n, traces);
      if (traces.size() > before) continue;
      std::optional<ProposedPoint> random = unseen_.draw();
      if (!random) break;
      add(std::move(*random), 0, traces);
    }
    num_proposed_ += static_cast<int64_t>(traces.size());
    return traces;
  }

  void observe(std::span<const Observation> observations) override {
    for (const Observation& observation : observations) {
      std::optional<AwaitedPoint> at = awaited_.take(observation.trace);
      if (!at) continue;
      const bool valid = !observation.rejected && observation.status == Status::ok;
      const double reward = valid ? reward_of(observation.seconds) : kWorstPpoReward;
      progress_.trials += 1;
      progress_.best_reward = std::max(progress_.best_reward, reward);
      if (valid) layouts_.add(at->point, observation.seconds);
      if (at->tag != 0) settle(at->tag, reward);
    }
    if (episodes_.size() < kEpisodesOfUpdate) return;
    agent_->learn(episodes_);
    episodes_.clear();
  }

  std::optional<SavedAgent> learnt() const override {
    SavedAgent learnt = before_;
    learnt.add_training(print(unseen_.space().spec()), static_cast<int64_t>(progress_.trials));
    learnt.weights = agent_->weights();
    return learnt;
  }

 private:
  // A layout whose loops are being explored.
  struct Group {
    std::vector<Decision> layout;
    size_t awaited = 0;
    double best_reward = kWorstPpoReward;
  };
  struct Candidate {
    std::vector<Decision> loops;
    size_t group = 0;
  };

  bool in_joint_stage() const { return num_proposed_ < options_.joint || layouts_.empty(); }

  // Proposes one layout with several loops; nothing if all of these were proposed before.
  void explore(size_t n, std::vector<KeyedTrace>& traces) {
    Group group;
    std::vector<Draft> drafts;
    const Point* base = nullptr;
    Point made;
    if (in_joint_stage()) {
      drafts = drafter_.draw({nullptr}, progress_);
      group.layout = std::move(drafts[0].layout);
      made = drafts[0].point;
      base = &made;
    } else {
      base = &next_layout();
    }
    const auto wanted = static_cast<size_t>(options_.loops);
    const size_t looked_at = scorer_ ? wanted * static_cast<size_t>(options_.explored) : wanted;
    const size_t more = looked_at > drafts.size() ? looked_at - drafts.size() : 0;
    for (Draft& draft : drafter_.draw(std::vector<const Point*>(more, base), progress_))
      drafts.push_back(std::move(draft));
    if (scorer_) sort_by_score(drafts);
    const size_t id = ++last_group_;
    for (Draft& draft : drafts) {
      if (group.awaited == wanted || traces.size() == n) break;
      std::optional<ProposedPoint> proposed = unseen_.take(std::move(draft.point));
      if (!proposed) continue;
      ++group.awaited;
      candidates_[++last_tag_] = {.loops = std::move(draft.loops), .group = id};
      add(std::move(*proposed), last_tag_, traces);
    }
    if (group.awaited > 0) groups_[id] = std::move(group);
  }

  // Sorts by score, best first, and drops illegal ones.
  void sort_by_score(std::vector<Draft>& drafts) {
    ScoredPoints found(unseen_.space(), *scorer_);
    std::vector<Point> points;
    for (const Draft& draft : drafts) points.push_back(draft.point);
    std::vector<Draft> sorted;
    for (const size_t i : ScoredPoints::legal_by_score(found.score(points)))
      sorted.push_back(std::move(drafts[i]));
    drafts = std::move(sorted);
  }

  void add(ProposedPoint proposed, size_t tag, std::vector<KeyedTrace>& traces) {
    awaited_.add(proposed, tag);
    traces.push_back(std::move(proposed.trace));
  }

  double reward_of(double seconds) {
    if (first_seconds_ == 0) first_seconds_ = seconds;
    const double ratio = seconds / first_seconds_;
    return options_.linear != 0 ? std::max(options_.upper - ratio, kWorstPpoReward)
                                : ppo_reward(ratio);
  }

  // Loops are rewarded by their own latency, a layout by the best of its loops.
  void settle(size_t tag, double reward) {
    auto node = candidates_.extract(tag);
    if (!node) return;
    Candidate& candidate = node.mapped();
    if (!candidate.loops.empty())
      episodes_.push_back({.decisions = std::move(candidate.loops), .reward = reward});
    Group& group = groups_[candidate.group];
    group.best_reward = std::max(group.best_reward, reward);
    if (--group.awaited > 0) return;
    if (!group.layout.empty())
      episodes_.push_back({.decisions = std::move(group.layout), .reward = group.best_reward});
    groups_.erase(candidate.group);
  }

  const Point& next_layout() { return layouts_.points()[turn_++ % layouts_.points().size()].point; }

  UnseenPoints unseen_;
  Scorer* scorer_;
  PpoOptions options_;
  std::unique_ptr<Agent> agent_;
  Drafter drafter_;
  AwaitedPoints awaited_;
  int64_t num_proposed_ = 0;
  size_t last_tag_ = 0;  // 0: not part of an episode
  size_t last_group_ = 0;
  size_t turn_ = 0;
  std::map<size_t, Candidate> candidates_;  // by tag
  std::map<size_t, Group> groups_;
  BestLayouts layouts_;  // for the loop-only stage
  std::vector<Episode> episodes_;
  SearchProgress progress_;
  double first_seconds_ = 0;
  SavedAgent before_;  // earlier training of the agent; without weights
};

}  // namespace

std::vector<OptionField> fields_of(PpoOptions& options) {
  return {{"joint",
           "trials of the joint stage, which searches layouts and loops; later trials search loops "
           "alone",
           &options.joint, 0, 1e9},
          {"loops", "loop schedules measured for each layout", &options.loops, 1, 1024},
          {"explored", "loop schedules that the cost model ranks for each one that is measured",
           &options.explored, 1, 1024},
          {"kept", "number of the fastest layouts that the loop-only stage goes on with",
           &options.kept, 1, 1024},
          {"epsilon", "share of the proposals that are random points", &options.epsilon, 0, 1},
          {"linear",
           "how a time becomes a reward. 1: the option upper minus the time, in units of the first "
           "trial's time; 0: the logarithm of the speed-up over the first trial",
           &options.linear, 0, 1},
          {"upper",
           "with linear=1: the number that the time is subtracted from, in units of the first "
           "trial's time",
           &options.upper, 0, 1e6},
          {"hidden", "width of the two hidden layers of the agent's networks", &options.hidden, 1,
           4096},
          {"learning_rate", "step size of the optimizer Adam", &options.learning_rate, 1e-9, 1},
          {"clip",
           "how far from 1 the ratio of the new to the old policy's probability counts; a change "
           "beyond it earns nothing",
           &options.clip, 1e-6, 1},
          {"entropy",
           "weight of the policy's entropy in the loss; a larger one keeps proposals more random",
           &options.entropy, 0, 10},
          {"epochs", "passes over the measured episodes in each update of the networks",
           &options.epochs, 1, 1000}};
}

AgentShape ppo_shape(const PpoOptions& options) {
  return {.states = kStateVersion,
          .state_size = state_size(),
          .actors = kNumPpoActors,
          .hidden = static_cast<int>(options.hidden)};
}

// Fails where LibTorch is not built in.
static Result<std::unique_ptr<Strategy>> make_ppo(const StrategyContext& context,
                                                  const PpoOptions& options) {
  const AgentShape shape = ppo_shape(options);
  if (context.agent) TRY(check_shape(*context.agent, shape));
  const AgentOptions agent_options{.state_size = shape.state_size,
                                   .actors = shape.actors,
                                   .seed = context.seed,
                                   .hidden = shape.hidden,
                                   .learning_rate = options.learning_rate,
                                   .clip = options.clip,
                                   .entropy_weight = options.entropy,
                                   .epochs = static_cast<int>(options.epochs)};
  std::unique_ptr<Agent> agent = TRY(load_agent(agent_options));
  if (context.agent) TRY(agent->set_weights(context.agent->weights));
  return std::unique_ptr<Strategy>(
      std::make_unique<PpoStrategy>(context, options, std::move(agent)));
}

StrategyEntry ppo_entry() {
  StrategyEntry entry = strategy_entry<PpoOptions>(
      "ppo", "actors for layouts and loops learn by proximal policy optimization (ALT)", make_ppo);
  entry.available = agent_available;
  entry.agent_shape = [](const StrategySpec& spec) -> Result<AgentShape> {
    PpoOptions options;
    TRY(read_options(spec.name, spec.options, fields_of(options)));
    return ppo_shape(options);
  };
  return entry;
}

}  // namespace dovetail
