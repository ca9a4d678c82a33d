// SPDX-License-Identifier: Apache-2.0
#include "campaign/compare/warm_starts.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "costmodel/cost_models.h"
#include "search/compare/simulate/pretrained.h"

namespace dovetail {
namespace {

bool is_warm_agent(const Arm& arm) { return arm.warm && has_agent(arm.strategy); }

int hidden_of(const Arm& arm) {
  const Result<AgentShape> shape = agent_shape(arm.strategy);
  CHECK(shape.has_value(), "an arm whose strategy has no agent");
  return shape->hidden;
}

std::string operator_name(const SimulatedSpace& space) {
  return std::string(operator_of(space.measured().task));
}

std::set<std::string> operators_of(const SimulatedSpaces& spaces) {
  std::set<std::string> operators;
  for (const auto& space : spaces) operators.insert(operator_name(*space));
  return operators;
}

// Trains in parallel, one agent per operator and width.
Result<void> train_agents(const CompareOptions& options, std::span<const Arm> arms,
                          const SimulatedSpaces& spaces, const SimulatedSpaces& teachers,
                          const Listener& listener, WarmStarts& into) {
  std::set<std::pair<int, std::string>> wanted;
  for (const Arm& arm : arms) {
    if (!is_warm_agent(arm)) continue;
    for (const std::string& of : operators_of(spaces)) wanted.emplace(hidden_of(arm), of);
  }
  const std::vector<std::pair<int, std::string>> all(wanted.begin(), wanted.end());
  std::mutex mutex;
  const Stopwatch watch;
  return try_each_in_parallel(all.size(), [&](size_t k) -> Result<void> {
    const auto& [hidden, without] = all[k];
    PretrainedAgent trained = TRY(
        pretrained_agent(spaces_without(teachers, without), {.trials = options.pretrain_trials,
                                                             .seed = options.seed,
                                                             .hidden = hidden,
                                                             .interrupted = listener.interrupted}));
    if (trained.interrupted) return {};
    const std::scoped_lock lock(mutex);
    into.agents[all[k]] = std::move(trained.agent);
    listener.note(fmt::format("an agent without {}, after {:.0f} s", without, watch.seconds()));
    return {};
  });
}

}  // namespace

bool is_warm_model(const Arm& arm) { return arm.warm && find_cost_model(arm.cost_model)->learns; }

const SavedModel* WarmStarts::model(const Arm& arm, const SimulatedSpace& space) const {
  return is_warm_model(arm) ? &models.find(operator_name(space))->second : nullptr;
}

const SavedAgent* WarmStarts::agent(const Arm& arm, const SimulatedSpace& space) const {
  if (!is_warm_agent(arm)) return nullptr;
  return &agents.find({hidden_of(arm), operator_name(space)})->second;
}

Result<std::optional<WarmStarts>> warm_starts(const CompareOptions& options,
                                              std::span<const Arm> arms,
                                              const SimulatedSpaces& spaces,
                                              const Listener& listener) {
  std::optional<WarmStarts> warm = WarmStarts();
  if (std::ranges::none_of(arms, &Arm::warm)) return warm;
  if (options.train_on.empty())
    return fail("compare: @warm needs --train-on DIR: the measured spaces to learn from");
  const std::optional<SimulatedSpaces> teachers =
      TRY(read_spaces(TRY(find_spaces(options.train_on)),
                      {.target = options.target, .points = options.points}, listener));
  if (!teachers) return std::optional<WarmStarts>();
  if (std::ranges::any_of(arms, is_warm_model)) {
    for (const std::string& without : operators_of(spaces)) {
      Result<SavedModel> model = pretrained_model(
          *teachers, without, {.seed = options.seed, .interrupted = listener.interrupted});
      if (listener.interrupted()) return std::optional<WarmStarts>();
      warm->models.emplace(without, TRY(std::move(model)));
    }
  }
  TRY(train_agents(options, arms, spaces, *teachers, listener, *warm));
  if (listener.interrupted()) return std::optional<WarmStarts>();
  return warm;
}

}  // namespace dovetail
