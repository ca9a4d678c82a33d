// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/ppo.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "search/agent/agent.h"
#include "search/strategies/awaited_points.h"
#include "search/strategies/best_layouts.h"
#include "search/strategies/points.h"
#include "search/strategies/ppo_state.h"
#include "search/strategies/scored_points.h"
#include "search/strategies/unseen_points.h"

namespace dovetail {
namespace {

enum Actor : int { kLayoutActor = 0, kLoopActor = 1 };

constexpr double kWorstReward = -1;
constexpr double kDoublingsOfBestReward = 3;  // eight times as fast as the first: reward 1
constexpr size_t kEpisodesOfUpdate = 16;

// A point as the actors decided it.
struct Draft {
  Point point;
  std::vector<double> places;
  std::vector<bool> chosen;
  std::vector<Decision> layout, loops;
};

// The position of an action in a domain of so many values.
size_t position_of(double action, size_t values, int off_percent) {
  const double off = values > 1 ? off_percent / 100.0 : 0;
  if (action < off) return 0;
  const double rest = (action - off) / (1 - off);
  const size_t first = off > 0 ? 1 : 0;
  const auto steps = static_cast<size_t>(rest * static_cast<double>(values - first));
  return std::min(first + steps, values - 1);
}

// Draws points, all at once parameter by parameter, so that the networks see batches.
class Drafter {
 public:
  Drafter(const Space& space, Agent& agent) : space_(space), encoder_(space), agent_(agent) {
    for (const Parameter& parameter : space.parameters())
      is_loop_.push_back(is_loop_choice(parameter.name));
    default_places_ = encode(space, space.default_point());
  }

  // A draft each; of one with a base only the loops are decided, its layout is the base's.
  std::vector<Draft> draw(const std::vector<const Point*>& bases, const SearchProgress& progress) {
    std::vector<Draft> drafts(bases.size());
    for (size_t k = 0; k < space_.parameters().size(); ++k) decide(k, bases, progress, drafts);
    return drafts;
  }

 private:
  void decide(size_t k, const std::vector<const Point*>& bases, const SearchProgress& progress,
              std::vector<Draft>& drafts) {
    const Parameter& parameter = space_.parameters()[k];
    std::vector<std::vector<int64_t>> domains;
    std::vector<State> states;
    std::vector<size_t> asked;
    for (size_t i = 0; i < drafts.size(); ++i) {
      domains.push_back(parameter.domain(drafts[i].point));
      if (domains[i].size() == 1 || (bases[i] != nullptr && !is_loop_[k])) continue;
      asked.push_back(i);
      states.push_back(
          {.actor = is_loop_[k] ? kLoopActor : kLayoutActor,
           .features = encoder_.features(k, domains[i].size(), default_places_[k], drafts[i].places,
                                         drafts[i].chosen, progress)});
    }
    std::vector<Decision> decisions = agent_.decide(states);
    std::vector<int64_t> values;
    for (size_t i = 0; i < drafts.size(); ++i) {
      const int64_t wanted = bases[i] != nullptr ? (*bases[i])[k] : domains[i].front();
      values.push_back(nearest_value(parameter, domains[i], wanted));
    }
    for (size_t j = 0; j < asked.size(); ++j) {
      const size_t i = asked[j];
      values[i] =
          domains[i][position_of(decisions[j].action, domains[i].size(), parameter.off_percent)];
      (is_loop_[k] ? drafts[i].loops : drafts[i].layout).push_back(std::move(decisions[j]));
    }
    for (size_t i = 0; i < drafts.size(); ++i) {
      drafts[i].point.push_back(values[i]);
      drafts[i].places.push_back(place_in(domains[i], values[i]));
      drafts[i].chosen.push_back(domains[i].size() > 1);
    }
  }

  const Space& space_;
  StateEncoder encoder_;
  Agent& agent_;
  std::vector<bool> is_loop_;
  std::vector<double> default_places_;
};

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
        layouts_(context.space, static_cast<size_t>(options.kept)) {}

  Result<std::vector<Trace>> propose(size_t n) override {
    std::vector<Trace> traces;
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
      const double reward = valid ? reward_of(observation.seconds) : kWorstReward;
      progress_.trials += 1;
      progress_.best_reward = std::max(progress_.best_reward, reward);
      if (valid) layouts_.add(at->point, observation.seconds);
      if (at->tag != 0) settle(at->tag, reward);
    }
    if (episodes_.size() < kEpisodesOfUpdate) return;
    agent_->learn(episodes_);
    episodes_.clear();
  }

 private:
  // A layout whose loops are being explored.
  struct Group {
    std::vector<Decision> layout;
    size_t awaited = 0;
    double best_reward = kWorstReward;
  };
  struct Candidate {
    std::vector<Decision> loops;
    size_t group = 0;
  };

  bool in_joint_stage() const { return num_proposed_ < options_.joint || layouts_.empty(); }

  // One layout, and loops for it; nothing where all of these were proposed before.
  void explore(size_t n, std::vector<Trace>& traces) {
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

  // Best first, without the illegal ones.
  void sort_by_score(std::vector<Draft>& drafts) {
    ScoredPoints found(unseen_.space(), *scorer_);
    std::vector<Point> points;
    for (const Draft& draft : drafts) points.push_back(draft.point);
    std::vector<Draft> sorted;
    for (const size_t i : ScoredPoints::legal_by_score(found.score(points)))
      sorted.push_back(std::move(drafts[i]));
    drafts = std::move(sorted);
  }

  void add(ProposedPoint proposed, size_t tag, std::vector<Trace>& traces) {
    awaited_.add(proposed, tag);
    traces.push_back(std::move(proposed.trace));
  }

  double reward_of(double seconds) {
    if (first_seconds_ == 0) first_seconds_ = seconds;
    const double ratio = seconds / first_seconds_;
    const double reward =
        options_.linear != 0 ? options_.upper - ratio : -std::log2(ratio) / kDoublingsOfBestReward;
    return std::max(reward, kWorstReward);
  }

  // Its own latency is the reward of loops; of a layout, the best of those explored with it.
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
  size_t last_tag_ = 0;  // 0: of no episode
  size_t last_group_ = 0;
  size_t turn_ = 0;
  std::map<size_t, Candidate> candidates_;  // by tag
  std::map<size_t, Group> groups_;
  BestLayouts layouts_;  // that the loop-only stage goes on with
  std::vector<Episode> episodes_;
  SearchProgress progress_;
  double first_seconds_ = 0;
};

}  // namespace

std::vector<OptionField> fields_of(PpoOptions& options) {
  return {
      {"joint", "trials of the joint stage", &options.joint, 0, 1e9},
      {"loops", "loops measured for each layout", &options.loops, 1, 1024},
      {"explored", "loops that the model looks at for each measured", &options.explored, 1, 1024},
      {"kept", "layouts that the loop-only stage goes on with", &options.kept, 1, 1024},
      {"epsilon", "share of random points", &options.epsilon, 0, 1},
      {"linear", "1: the reward is upper - latency, 0: its logarithm", &options.linear, 0, 1},
      {"upper", "U of the linear reward, in latencies of the first trial", &options.upper, 0, 1e6},
      {"hidden", "width of the networks' layers", &options.hidden, 1, 4096},
      {"learning_rate", "of Adam", &options.learning_rate, 1e-9, 1},
      {"clip", "how far a new policy's ratio to the old counts", &options.clip, 1e-6, 1},
      {"entropy", "its weight in the loss", &options.entropy, 0, 10},
      {"epochs", "passes over the episodes of an update", &options.epochs, 1, 1000}};
}

Result<std::unique_ptr<Strategy>> make_ppo(const StrategyContext& context,
                                           const PpoOptions& options) {
  const AgentOptions agent_options{.state_size = StateEncoder(context.space).size(),
                                   .actors = 2,
                                   .seed = context.seed,
                                   .hidden = static_cast<int>(options.hidden),
                                   .learning_rate = options.learning_rate,
                                   .clip = options.clip,
                                   .entropy_weight = options.entropy,
                                   .epochs = static_cast<int>(options.epochs)};
  std::unique_ptr<Agent> agent = TRY(load_agent(agent_options));
  return std::unique_ptr<Strategy>(
      std::make_unique<PpoStrategy>(context, options, std::move(agent)));
}

}  // namespace dovetail
