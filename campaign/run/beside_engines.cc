// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/beside_engines.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "campaign/accuracy/network_reference.h"
#include "campaign/run/network_trials.h"
#include "core/base/fail.h"
#include "measure/network_peers/engine_session.h"
#include "measure/network_peers/rounds.h"

namespace dovetail {
namespace {

constexpr double kSame = 1e-3;  // difference allowed, over the output's magnitude

Result<void> load_engine(EngineSession& engine, const ComparedModel& model) {
  for (const auto& [name, values] : model.inputs) TRY(engine.give(name, values));
  return engine.load(model.path);
}

// Equal infinities, and NaNs in both, are no difference.
double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double apart = std::abs(a - b);
  return std::isnan(apart) ? std::numeric_limits<double>::infinity() : apart;
}

// The largest difference from our outputs, which reveals a reduced precision or another
// computation; fails above kSame. The row gets the engine's error against the definition.
Result<double> largest_difference(EngineSession& engine, const ComparedModel& model,
                                  EngineRow& row) {
  if (engine.outputs() != std::ssize(model.made))
    return fail("peer {}: it has {} outputs, expected {}", engine.name(), engine.outputs(),
                model.made.size());
  double largest = 0;
  for (size_t o = 0; o < model.made.size(); ++o) {
    const std::string& name = model.made[o].name;
    const NDArray& ours = model.outputs.at(name);
    const NDArray theirs = TRY(engine.output(static_cast<int64_t>(o)));
    if (theirs.size() != ours.size())
      return fail("peer {}: output {} has {} elements, expected {}", engine.name(), name,
                  theirs.size(), ours.size());
    double range = 0, difference = 0;
    for (size_t e = 0; e < ours.size(); ++e) {
      const double own = ours.real(e);
      if (std::isfinite(own)) range = std::max(range, std::abs(own));
      difference = std::max(difference, distance(own, theirs.real(e)));
    }
    row.range_error = std::max(row.range_error, range_error(theirs, model.expected[o]));
    if (difference > 0) largest = std::max(largest, difference / std::max(range, 1e-30));
  }
  if (largest <= kSame) return largest;
  return fail("peer {}: its outputs differ from ours by {:.2g} of their range, at most {} expected",
              engine.name(), largest, kSame);
}

Contestant contestant_of(EngineSession& engine, EngineRow& row) {
  return {.name = engine.name(),
          .sample = [&engine, &row](const RoundsRule& rule) -> Result<std::vector<double>> {
            EngineSamples samples = TRY(engine.sample(rule.warm_up, rule.runs, rule.seconds));
            row.peak_bytes = samples.peak_bytes;
            return std::move(samples.seconds);
          }};
}

}  // namespace

Result<EngineComparison> beside_engines(const std::vector<LoadedNetwork*>& networks,
                                        const std::vector<std::string>& engines,
                                        const ComparedModel& model) {
  std::vector<EngineSession> sessions;
  for (const std::string& engine : engines)
    sessions.push_back(TRY(EngineSession::start(engine, model.cores)));
  EngineComparison found;
  std::vector<Contestant> contestants;
  for (LoadedNetwork* network : networks) contestants.push_back(contestant_of(*network));
  std::vector<size_t> places;  // row of each contestant after ours
  found.rows.resize(sessions.size());
  for (size_t e = 0; e < sessions.size(); ++e) {
    EngineRow& row = found.rows[e];
    row.name = sessions[e].name();
    const Result<void> loaded = load_engine(sessions[e], model);
    const Result<double> difference =
        loaded ? largest_difference(sessions[e], model, row) : fail(loaded.error().message);
    row.version = sessions[e].version();
    row.precision = sessions[e].precision();
    row.import_bytes = sessions[e].import_bytes();
    if (!difference) {
      row.reason = difference.error().message;
      continue;
    }
    row.difference = *difference;
    contestants.push_back(contestant_of(sessions[e], row));
    places.push_back(e);
  }
  const std::vector<ContestResult> standings = measure_in_turn(contestants, {});
  for (size_t n = 0; n < networks.size(); ++n) {
    if (!standings[n].seconds) return fail(standings[n].reason);
    found.ours.push_back({*standings[n].seconds, standings[n].round_seconds});
  }
  for (size_t p = 0; p < places.size(); ++p) {
    EngineRow& row = found.rows[places[p]];
    const ContestResult& standing = standings[networks.size() + p];
    row.seconds = standing.seconds;
    row.round_seconds = standing.round_seconds;
    row.reason = standing.reason;
  }
  return found;
}

}  // namespace dovetail
