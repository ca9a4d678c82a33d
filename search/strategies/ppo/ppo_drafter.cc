// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/ppo/ppo_drafter.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/ir/operator/computation.h"
#include "core/ir/region/work.h"
#include "search/strategies/points/points.h"

namespace dovetail {

namespace {

// The order is part of the state that saved agents were trained on.
enum Family : size_t {
  kRegisterTile,
  kPhase,
  kUnrollPart,
  kUnroll,
  kCacheTile,
  kInnerPart,
  kOutputLayout,
  kFirstInputLayout,
  kSecondInputLayout,
  kLevels,
  kBlock,
  kChannelTiles,
  kOrder,
  kPadAt,
  kCacheRead,
  kScope,
  kPrefetch,
  kOthers,
  kNumFamilies
};
// Each family has three features: its one-hot digit, the mean position chosen, and the number of
// choices made.
constexpr size_t kPerFamily = 3;
constexpr size_t kTaskFeatures = 9;
constexpr size_t kParameterFeatures = 4;
constexpr size_t kProgressFeatures = 2;

constexpr float kLogScale = 1.0F / 16;  // maps sizes up to 2^16 or so to [0, 1]
constexpr double kTrialScale = 1e-3;

Family layout_family(const Parameter& parameter) {
  if (!parameter.input) return kOutputLayout;
  if (*parameter.input > 1) return kOthers;
  return *parameter.input == 0 ? kFirstInputLayout : kSecondInputLayout;
}

Family family_of(const Parameter& parameter) {
  using enum ParameterKind;
  if (parameter.kind == layout_tile || parameter.kind == storage || parameter.kind == phase_storage)
    return layout_family(parameter);
  static constexpr std::pair<ParameterKind, Family> kFamilies[] = {
      {register_tile, kRegisterTile}, {phase, kPhase},
      {unroll_part, kUnrollPart},     {unroll, kUnroll},
      {cache_tile, kCacheTile},       {inner_part, kInnerPart},
      {layout_levels, kLevels},       {layout_block, kBlock},
      {channel_tiles, kChannelTiles}, {reduction_order, kOrder},
      {phase_order, kOrder},          {outer_order, kOrder},
      {cache_order, kOrder},          {pad_at, kPadAt},
      {cache_read, kCacheRead},       {scope, kScope},
      {prefetch, kPrefetch}};
  for (const auto& [kind, family] : kFamilies)
    if (kind == parameter.kind) return family;
  return kOthers;
}

float log_of(double size) { return static_cast<float>(std::log2(std::max(size, 1.0))) * kLogScale; }

double bytes_of(const Computation& computation) {
  double bytes = 0;
  for (const Tensor& tensor : computation.tensors)
    bytes += static_cast<double>(tensor_bytes(tensor));
  return bytes;
}

std::vector<float> task_features(const Region& region, const Target& target,
                                 const Computation& computation) {
  const double flops = nominal_flops(region);
  const double bytes = bytes_of(computation);
  return {log_of(flops),
          log_of(bytes),
          log_of(flops / bytes),
          log_of(vector_lanes(target)),
          log_of(target.vector_registers),
          log_of(static_cast<double>(target.l1_bytes)),
          log_of(static_cast<double>(target.l2_bytes)),
          log_of(static_cast<double>(target.l3_bytes)),
          runs_work_groups(target) ? 1.0F : 0.0F};
}

}  // namespace

int state_size() {
  return static_cast<int>(kTaskFeatures + kNumFamilies * kPerFamily + kParameterFeatures +
                          kProgressFeatures);
}

StateEncoder::StateEncoder(const Space& space) {
  const Computation& computation = space.spec().region.computations.front().computation;
  task_ = task_features(space.spec().region, space.target(), computation);
  for (const Parameter& parameter : space.parameters()) {
    Role role{.family = family_of(parameter)};
    const auto at = std::ranges::find(computation.axes, parameter.axis, &Axis::name);
    if (at != computation.axes.end()) {
      role.log_extent = log_of(static_cast<double>(at->extent));
      role.is_summed = at->reduction ? 1.0F : 0.0F;
    }
    roles_.push_back(role);
  }
  CHECK(task_.size() == kTaskFeatures, "a task of another number of features");
}

std::vector<float> StateEncoder::features(size_t at, size_t values, double default_place,
                                          const std::vector<double>& places,
                                          const std::vector<bool>& chosen,
                                          const SearchProgress& progress) const {
  std::vector<float> features = task_;
  std::array<float, kNumFamilies> sums{};
  std::array<float, kNumFamilies> counts{};
  for (size_t k = 0; k < at; ++k) {
    if (!chosen[k]) continue;
    sums[roles_[k].family] += static_cast<float>(places[k]);
    counts[roles_[k].family] += 1;
  }
  for (size_t family = 0; family < kNumFamilies; ++family) {
    features.push_back(family == roles_[at].family ? 1.0F : 0.0F);
    features.push_back(counts[family] > 0 ? sums[family] / counts[family] : 0.0F);
    features.push_back(counts[family] / 8);
  }
  features.insert(features.end(),
                  {roles_[at].log_extent, roles_[at].is_summed, log_of(static_cast<double>(values)),
                   static_cast<float>(default_place),
                   static_cast<float>(std::tanh(progress.trials * kTrialScale)),
                   static_cast<float>(progress.best_reward)});
  return features;
}
namespace {

enum Actor : int { kLayoutActor = 0, kLoopActor = 1 };

// The position that an action selects in a domain of `values` values.
size_t position_of(double action, size_t values, int off_percent) {
  const double off = values > 1 ? off_percent / 100.0 : 0;
  if (action < off) return 0;
  const double rest = (action - off) / (1 - off);
  const size_t first = off > 0 ? 1 : 0;
  const auto steps = static_cast<size_t>(rest * static_cast<double>(values - first));
  return std::min(first + steps, values - 1);
}

// The middle of the actions that select `position`.
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
  for (size_t i = 0; i < drafts.size(); ++i) take(domains[i], values[i], drafts[i]);
}

}  // namespace dovetail
