// SPDX-License-Identifier: Apache-2.0
#include "tests/search/memory_campaign.h"

#include "costmodel/cost_models.h"
#include "search/strategies/strategies.h"
#include "tests/search/simulated_search.h"

namespace dovetail::testing {

Result<TuneSummary> MemoryCampaign::run(Runner& runner) {
  const auto none = std::move(*make_cost_model("none", {}));
  LengthModel lengths;
  CostModel& model = learns ? lengths : *none;
  ModelScorer scorer(space, model);
  Scorer* const used = learns ? &scorer : nullptr;
  const auto strategy =
      std::move(*make_strategy(*parse_strategy(strategy_spec), {space, seed, used}));
  Proposer proposer(space, *strategy, model, used);
  int64_t written = 0;
  History history(log, [&](const Record& record) -> Result<void> {
    log.push_back(record);
    ++written;
    return {};
  });
  history.write_rounds(rounds, [&](const RoundRecord& round) -> Result<void> {
    rounds.push_back(round);
    return {};
  });
  Record prototype;
  prototype.task = print(space.spec());
  prototype.target = "cpu";
  prototype.strategy = strategy_spec;
  prototype.seed = seed;
  TunerHooks hooks;
  hooks.progress = [&](const Progress& now) { progress.push_back(now); };
  hooks.interrupted = [&] { return interrupt_after >= 0 && written >= interrupt_after; };
  hooks.elapsed_seconds = [&] {
    return clock ? clock(log) : 0.01 * static_cast<double>(log.size());
  };
  hooks.note = [&](const std::string& line) { notes.push_back(line); };
  Tuner tuner({.name = "t",
               .spec = space.spec(),
               .target = space.target(),
               .prototype = prototype,
               .cost_model = learns ? "lengths" : ""},
              {proposer, *strategy, model, runner, history, fresh_model}, options, hooks);
  for (size_t i = 0; !slices.empty() && !tuner.stopped(); ++i)
    TRY(tuner.tune(slices[i % slices.size()], tuner.last_elapsed_seconds()));
  return slices.empty() ? tuner.run() : tuner.finish(confirming_seconds);
}

std::vector<Record> of_kind(const std::vector<Record>& records, RecordKind kind) {
  std::vector<Record> found;
  for (const Record& record : records)
    if (record.kind == kind) found.push_back(record);
  return found;
}

std::vector<std::string> traces(const std::vector<Record>& records) {
  std::vector<std::string> found;
  for (const Record& record : of_kind(records, RecordKind::trial))
    found.push_back(record.trace.text());
  return found;
}

}  // namespace dovetail::testing
