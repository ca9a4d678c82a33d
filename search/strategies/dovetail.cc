// SPDX-License-Identifier: Apache-2.0
//
// The strategy `dovetail`, by this project: four searches make candidates, one model ranks all of
// them, and each search gets a share of the round by its gains so far.
//
//   spread    random points: other layouts and algorithms
//   evolve    mutants and crossings of the fastest measured points (Ansor's)
//   loops     mutants of the loops alone, on the fastest layouts: ALT's second stage, with a share
//             that grows when the layouts are found
//   descend   neighbours of the fastest points (Droplet's coordinate descent, by the model)
//
// The model is search/strategies/model/speed_model.h: the analytic model's estimate, scaled, and a
// Gaussian process over the points for its residual. With `verify`, the scores of the campaign's
// cost model count, too; on measured spaces they did not help (docs/decisions/0017 has
// the figures). Candidates rank by lower confidence bound: the expected time less `caution`
// deviations. Points that are chosen or being measured count as known, so that a round is spread
// out.
//
//   before the first results    a third each of neighbours of the default point, random points, and
//                               descendants of both, by the estimate
//   a round                     each search makes candidates, evolution in some generations on the
//                               process's guesses; the likeliest by these are lowered, `drafted`
//                               for each that is measured; each place of the round goes to a search
//                               drawn by its share, and to its best candidate
//   results                     a search gains the logarithm of the speed-up over the best before;
//                               gains and counts fade, so that shares follow the campaign
//
// Sources: L. Zheng et al., OSDI 2020 (evolution); Z. Xu et al., EuroSys 2023 (two stages);
// M. Canesche et al., TACO 2024 (descent); L. Qiao et al., ASPLOS 2025 (draft and verify);
// E. Hellsten et al., BaCO, ASPLOS 2023 (Gaussian processes for compilers); P. Auer et al., Machine
// Learning 47, 2002 (bandits).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "search/strategies/arm_shares.h"
#include "search/strategies/dovetail_searches.h"
#include "search/strategies/model/speed_model.h"
#include "search/strategies/points/scored_points.h"
#include "search/strategies/points/unseen_points.h"
#include "search/strategies/strategy_entry.h"

namespace dovetail {
namespace {

constexpr size_t kLeastRound = 4;  // candidates are made for at least this many

struct DovetailOptions {
  int64_t parents = 12;
  int64_t layouts = 3;
  int64_t centres = 3;
  int64_t pool = 8;
  int64_t drafted = 2;
  int64_t blind = 2;  // then only estimates rank candidates
  int64_t blind_generations = 2;
  int64_t generations = 0;
  int64_t samples = 256;
  double caution = 2;
  double verify = 0;
  double least = 0.08;
  double fade = 0.8;
};

std::vector<OptionField> fields_of(DovetailOptions& options) {
  return {
      {"parents", "number of the fastest points that evolution draws from", &options.parents, 1,
       65536},
      {"layouts", "number of the fastest layouts whose loops are explored", &options.layouts, 1,
       1024},
      {"centres", "number of the fastest points whose neighbours are tried", &options.centres, 1,
       1024},
      {"pool", "candidates made for each one that is measured", &options.pool, 1, 1024},
      {"drafted", "candidates lowered for each one that is measured", &options.drafted, 1, 1024},
      {"blind",
       "factor on the candidates made before the first results, when only estimates rank them",
       &options.blind, 1, 64},
      {"blind_generations", "generations that evolve on the estimate before the first results",
       &options.blind_generations, 0, 64},
      {"generations", "generations that evolve on the model's predictions before each round",
       &options.generations, 0, 1024},
      {"samples", "number of measured points that the model learns from", &options.samples, 8,
       4096},
      {"caution",
       "standard deviations that are taken off a predicted time, so that uncertain candidates are "
       "tried",
       &options.caution, 0, 100},
      {"verify", "weight of the cost model's scores beside the Gaussian process's, from 0 to 1",
       &options.verify, 0, 1},
      {"least", "least share of a round that each of the four searches gets", &options.least, 0,
       0.25},
      {"fade",
       "factor by which each search's gains and counts shrink after each round, so that shares "
       "follow the campaign",
       &options.fade, 0, 1}};
}

struct Contender {
  ProposedPoint proposed;
  size_t search = 0;
  Place place;
  double guess = 0;  // log seconds, from the place alone
  double log_estimate = 0;
};

// Scales finite scores to mean 0 and deviation 1; others become 0.
std::vector<double> standardised(const std::vector<double>& scores) {
  const auto [mean, deviation] = spread_of(scores);
  std::vector<double> result;
  for (const double score : scores) {
    const bool known = std::isfinite(score) && deviation > 0;
    result.push_back(known ? (score - mean) / deviation : 0);
  }
  return result;
}

class DovetailStrategy final : public Strategy {
 public:
  DovetailStrategy(const StrategyContext& context, const DovetailOptions& options)
      : unseen_(context.space, context.seed),
        draft_(context),
        scorer_(context.scorer),
        options_(options),
        awaited_(context.space),
        places_(context.space),
        model_(places_.groups()),
        searches_(context.space, {.parents = static_cast<size_t>(options.parents),
                                  .layouts = static_cast<size_t>(options.layouts),
                                  .centres = static_cast<size_t>(options.centres)}),
        shares_(kNumSearches, {.least = options.least, .fade = options.fade}) {}

  Result<std::vector<KeyedTrace>> propose(size_t n) override {
    std::vector<Contender> candidates = drafted(std::max(n, kLeastRound));
    std::vector<KeyedTrace> traces;
    for (const size_t chosen : choose(candidates, n)) {
      Contender& candidate = candidates[chosen];
      std::optional<ProposedPoint> taken = unseen_.take(std::move(candidate.proposed));
      CHECK(taken.has_value(), "a candidate that was proposed before");
      add(std::move(*taken), candidate.search, traces);
    }
    while (traces.size() < n) {
      std::optional<ProposedPoint> drawn = unseen_.draw();
      if (!drawn) break;
      add(std::move(*drawn), static_cast<size_t>(Search::spread), traces);
    }
    return traces;
  }

  void observe(std::span<const Observation> observations) override {
    for (const Observation& observation : observations) {
      std::optional<AwaitedPoint> at = awaited_.take(observation.trace);
      if (!at) continue;
      auto tried = tried_.extract(at->tag);
      if (observation.rejected) continue;
      const bool valid = observation.status == Status::ok;
      remember(at->point, observation, valid);
      if (valid && tried) settle(tried.mapped().search, observation.seconds);
      if (valid) best_seconds_ = std::min(best_seconds_, observation.seconds);
      if (valid) searches_.add(at->point, observation.seconds);
    }
    shares_.fade();
    learn();
  }

 private:
  struct Tried {
    size_t search = 0;
    Place place;
  };
  struct Sample {
    SpeedSample sample;
    bool valid = true;
  };

  // Each search's likeliest candidates, by the place alone, which are then lowered.
  std::vector<Contender> drafted(size_t n) {
    std::unordered_set<uint64_t> made;
    std::vector<Contender> candidates;
    const auto blind = static_cast<size_t>(options_.blind);
    const size_t times = (model_.has_learnt() ? 1 : blind) * n / kNumSearches;
    const size_t pool = static_cast<size_t>(options_.pool) * times;
    const size_t most = static_cast<size_t>(options_.drafted) * times;
    for (const Search search : {Search::descend, Search::loops, Search::evolve, Search::spread}) {
      std::vector<Contender> some;
      add_guessed(searches_.make(search, pool, unseen_, made), search, some);
      for (int64_t g = 0; search == Search::evolve && g < options_.generations; ++g) {
        std::vector<Point> parents;
        for (size_t i = 0; i < std::min(some.size(), most); ++i)
          parents.push_back(some[i].proposed.point);
        add_guessed(searches_.breed(parents, pool, unseen_, made), search, some);
      }
      if (some.size() > most) some.erase(some.begin() + static_cast<ptrdiff_t>(most), some.end());
      std::ranges::move(some, std::back_inserter(candidates));
    }
    candidates = estimated(std::move(candidates));
    if (!model_.has_learnt()) evolve_blindly(pool, most, made, candidates);
    return candidates;
  }

  // Evolves the candidates by the estimate alone, before there are results.
  void evolve_blindly(size_t pool, size_t most, std::unordered_set<uint64_t>& made,
                      std::vector<Contender>& candidates) {
    for (int64_t generation = 0; generation < options_.blind_generations; ++generation) {
      std::ranges::stable_sort(candidates, {}, &Contender::log_estimate);
      std::vector<Point> parents;
      for (size_t i = 0; i < std::min(candidates.size(), most / 2); ++i)
        parents.push_back(candidates[i].proposed.point);
      std::vector<Contender> children;
      add_guessed(searches_.breed(parents, pool / 2, unseen_, made), Search::evolve, children);
      std::ranges::move(estimated(std::move(children)), std::back_inserter(candidates));
    }
  }

  // Appends and sorts by guess, fastest first; before anything is learnt the order stays.
  void add_guessed(std::vector<ProposedPoint> proposed, Search search,
                   std::vector<Contender>& candidates) const {
    for (ProposedPoint& one : proposed) {
      Place place = places_.place_of(one.point);
      const double guess = model_.has_learnt() ? model_.guess(place) : 0;
      candidates.push_back({.proposed = std::move(one),
                            .search = static_cast<size_t>(search),
                            .place = std::move(place),
                            .guess = guess});
    }
    std::ranges::stable_sort(candidates, {}, &Contender::guess);
  }

  // Lowers the candidates, drops illegal ones, and sets the estimates of the others.
  std::vector<Contender> estimated(std::vector<Contender> candidates) {
    std::vector<KeyedTrace> traces;
    for (const Contender& candidate : candidates) traces.push_back(candidate.proposed.trace);
    const std::vector<std::optional<double>> speeds = draft_.score(traces);
    std::vector<Contender> legal;
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (!speeds[i] || !(*speeds[i] > 0)) continue;
      legal.push_back(std::move(candidates[i]));
      legal.back().log_estimate = -std::log(*speeds[i]);
    }
    return legal;
  }

  std::vector<size_t> choose(const std::vector<Contender>& candidates, size_t n) {
    std::vector<Forecast::Candidate> views;
    for (const Contender& candidate : candidates)
      views.push_back({candidate.place, candidate.log_estimate});
    std::optional<Forecast> forecast;
    if (model_.has_learnt()) forecast.emplace(model_, views, awaited_places());
    const std::vector<double> expected = expectations(candidates, forecast);
    std::vector<bool> taken(candidates.size(), false);
    std::vector<size_t> chosen;
    while (chosen.size() < n) {
      const std::optional<size_t> next = choose_one(candidates, expected, forecast, taken);
      if (!next) break;
      taken[*next] = true;
      if (forecast) forecast->choose(*next);
      chosen.push_back(*next);
    }
    return chosen;
  }

  std::optional<size_t> choose_one(const std::vector<Contender>& candidates,
                                   const std::vector<double>& expected,
                                   const std::optional<Forecast>& forecast,
                                   const std::vector<bool>& taken) {
    std::array<double, kNumSearches> least;
    least.fill(std::numeric_limits<double>::infinity());
    std::array<size_t, kNumSearches> best{};
    std::vector<bool> open(kNumSearches, false);
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (taken[i]) continue;
      const double hoped =
          expected[i] - (forecast ? options_.caution * forecast->belief(i).deviation : 0);
      const size_t search = candidates[i].search;
      if (open[search] && hoped >= least[search]) continue;
      open[search] = true;
      least[search] = hoped;
      best[search] = i;
    }
    if (std::ranges::find(open, true) == open.end()) return std::nullopt;
    return best[shares_.draw(unseen_.rng(), open)];
  }

  // Log seconds: the model's mean, moved by `verify` towards one by the cost model's scores.
  std::vector<double> expectations(const std::vector<Contender>& candidates,
                                   const std::optional<Forecast>& forecast) {
    std::vector<double> means;
    for (size_t i = 0; i < candidates.size(); ++i)
      means.push_back(forecast ? forecast->belief(i).mean : candidates[i].log_estimate);
    if (!forecast || scorer_ == nullptr || options_.verify == 0) return means;
    std::vector<KeyedTrace> traces;
    for (const Contender& candidate : candidates) traces.push_back(candidate.proposed.trace);
    std::vector<double> scores;
    for (const std::optional<double>& score : scorer_->score(traces))
      scores.push_back(score.value_or(ScoredPoints::kIllegal));
    scores = standardised(scores);
    const std::vector<double> relative = standardised(means);
    const double mean =
        std::accumulate(means.begin(), means.end(), 0.0) / std::max<double>(1, means.size());
    for (size_t i = 0; i < means.size(); ++i) {
      const double deviation = relative[i] == 0 ? 0 : (means[i] - mean) / relative[i];
      const double by_score = mean - deviation * scores[i];
      means[i] += options_.verify * (by_score - means[i]);
    }
    return means;
  }

  std::vector<Place> awaited_places() const {
    std::vector<Place> places;
    for (const auto& [tag, tried] : tried_) places.push_back(tried.place);
    return places;
  }

  void add(ProposedPoint proposed, size_t search, std::vector<KeyedTrace>& traces) {
    ++last_tag_;
    tried_[last_tag_] = {.search = search, .place = places_.place_of(proposed.point)};
    awaited_.add(proposed, last_tag_);
    traces.push_back(std::move(proposed.trace));
  }

  void settle(size_t search, double seconds) {
    const bool first = !std::isfinite(best_seconds_);
    shares_.settle(search, first ? 0 : std::max(0.0, std::log(best_seconds_ / seconds)));
  }

  void remember(const Point& point, const Observation& observation, bool valid) {
    const std::vector<std::optional<double>> speed = draft_.score({&observation.trace, 1});
    if (!speed[0] || !(*speed[0] > 0)) return;
    samples_.push_back({.sample = {.place = places_.place_of(point),
                                   .log_seconds = valid ? std::log(observation.seconds) : 0,
                                   .log_estimate = -std::log(*speed[0])},
                        .valid = valid});
  }

  // A failure counts as slow as the slowest valid sample.
  void learn() {
    double slowest = -std::numeric_limits<double>::infinity();
    for (const Sample& one : samples_)
      if (one.valid) slowest = std::max(slowest, one.sample.log_seconds);
    if (!std::isfinite(slowest)) return drop_some();
    for (Sample& one : samples_)
      if (!one.valid) one.sample.log_seconds = slowest;
    drop_some();
    std::vector<SpeedSample> samples;
    for (const Sample& one : samples_) samples.push_back(one.sample);
    model_.learn(samples);
  }

  // Keeps `samples` samples: the fastest as one half, the latest as the other.
  void drop_some() {
    std::vector<double> seconds;
    for (const Sample& one : samples_) seconds.push_back(one.sample.log_seconds);
    std::vector<Sample> kept;
    for (const size_t i : least_and_last(seconds, static_cast<size_t>(options_.samples)))
      kept.push_back(std::move(samples_[i]));
    samples_ = std::move(kept);
  }

  UnseenPoints unseen_;
  AnalyticScorer draft_;
  Scorer* scorer_;
  DovetailOptions options_;
  AwaitedPoints awaited_;
  PointPlaces places_;
  SpeedModel model_;
  Searches searches_;
  ArmShares shares_;
  std::map<size_t, Tried> tried_;  // awaited ones by tag, in the order proposed
  size_t last_tag_ = 0;            // 0: the default trace's
  std::vector<Sample> samples_;
  double best_seconds_ = std::numeric_limits<double>::infinity();
};

}  // namespace

StrategyEntry dovetail_entry() {
  return strategy_entry<DovetailOptions>(
      "dovetail", "ours: several searches share each round by what they gained",
      kConstruct<DovetailStrategy>);
}

}  // namespace dovetail
