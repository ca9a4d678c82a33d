// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/ppo/ppo_drafter.h"

#include <algorithm>
#include <cmath>

#include "search/strategies/points/points.h"

namespace dovetail {
namespace {

enum Actor : int { kLayoutActor = 0, kLoopActor = 1 };

// The position of an action in a domain of so many values.
size_t position_of(double action, size_t values, int off_percent) {
  const double off = values > 1 ? off_percent / 100.0 : 0;
  if (action < off) return 0;
  const double rest = (action - off) / (1 - off);
  const size_t first = off > 0 ? 1 : 0;
  const auto steps = static_cast<size_t>(rest * static_cast<double>(values - first));
  return std::min(first + steps, values - 1);
}

// The middle of the actions whose position that is.
double action_of(size_t position, size_t values, int off_percent) {
  const double off = values > 1 ? off_percent / 100.0 : 0;
  if (off > 0 && position == 0) return off / 2;
  const size_t first = off > 0 ? 1 : 0;
  const double step = (1 - off) / static_cast<double>(values - first);
  return off + (static_cast<double>(position - first) + 0.5) * step;
}

}  // namespace

double ppo_reward(double ratio) {
  constexpr double kDoublingsOfBestReward = 3;
  return std::max(-std::log2(ratio) / kDoublingsOfBestReward, kWorstPpoReward);
}

Drafter::Drafter(const Space& space, Agent& agent) : space_(space), encoder_(space), agent_(agent) {
  for (const Parameter& parameter : space.parameters())
    is_loop_.push_back(parameter.decides == Decides::loops);
  default_places_ = encode(space, space.default_point());
}

std::vector<Draft> Drafter::draw(const std::vector<const Point*>& bases,
                                 const SearchProgress& progress) {
  std::vector<Draft> drafts(bases.size());
  for (size_t k = 0; k < space_.parameters().size(); ++k) decide(k, bases, progress, drafts);
  return drafts;
}

State Drafter::state_of(size_t k, size_t values, const Draft& draft,
                        const SearchProgress& progress) const {
  return {.actor = is_loop_[k] ? kLoopActor : kLayoutActor,
          .features = encoder_.features(k, values, default_places_[k], draft.places, draft.chosen,
                                        progress)};
}

void Drafter::take(const std::vector<int64_t>& domain, int64_t value, Draft& draft) {
  draft.point.push_back(value);
  draft.places.push_back(place_in(domain, value));
  draft.chosen.push_back(domain.size() > 1);
}

Draft Drafter::retrace(const Point& point, const SearchProgress& progress) const {
  Draft draft;
  for (size_t k = 0; k < space_.parameters().size(); ++k) {
    const Parameter& parameter = space_.parameters()[k];
    const std::vector<int64_t> domain = parameter.domain(draft.point);
    const auto at = std::ranges::find(domain, point[k]);
    CHECK(at != domain.end(), "a point that is not of the space");
    if (domain.size() > 1) {
      const double action =
          action_of(static_cast<size_t>(at - domain.begin()), domain.size(), parameter.off_percent);
      (is_loop_[k] ? draft.loops : draft.layout)
          .push_back({.state = state_of(k, domain.size(), draft, progress), .action = action});
    }
    take(domain, point[k], draft);
  }
  return draft;
}

void Drafter::decide(size_t k, const std::vector<const Point*>& bases,
                     const SearchProgress& progress, std::vector<Draft>& drafts) {
  const Parameter& parameter = space_.parameters()[k];
  std::vector<std::vector<int64_t>> domains;
  std::vector<State> states;
  std::vector<size_t> asked;
  for (size_t i = 0; i < drafts.size(); ++i) {
    domains.push_back(parameter.domain(drafts[i].point));
    if (domains[i].size() == 1 || (bases[i] != nullptr && !is_loop_[k])) continue;
    asked.push_back(i);
    states.push_back(state_of(k, domains[i].size(), drafts[i], progress));
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
    take(domains[i], values[i], drafts[i]);
  }
}

}  // namespace dovetail
