// SPDX-License-Identifier: Apache-2.0
#pragma once

// The four searches of `dovetail` (dovetail.cc): each makes candidate points, none twice and none
// that was proposed before; a model picks among them.
//
//   Searches searches(space, options);
//   searches.add(point, seconds);                         // measured
//   searches.make(Search::descend, 64, unseen)            // up to so many candidates

#include <unordered_set>
#include <vector>

#include "search/strategies/points/best_points.h"
#include "search/strategies/points/unseen_points.h"

namespace dovetail {

enum class Search : size_t { spread, evolve, loops, descend };
inline constexpr size_t kNumSearches = 4;

class Searches {
 public:
  struct Options {
    size_t parents = 12;  // points that evolution draws parents from
    size_t layouts = 3;   // layouts that `loops` explores loops of
    size_t centres = 3;   // points that `descend` tries neighbours of
  };
  Searches(const Space& space, const Options& options);

  void add(const Point& point, double seconds);
  bool has_measured() const { return !best_.empty(); }

  // `made`: keys of the traces that all searches made in this round so far.
  std::vector<ProposedPoint> make(Search search, size_t count, UnseenPoints& unseen,
                                  std::unordered_set<uint64_t>& made) const;
  // Mutants and crossings of `parents`; the first is drawn twice as often as the middle one.
  std::vector<ProposedPoint> breed(const std::vector<Point>& parents, size_t count,
                                   UnseenPoints& unseen, std::unordered_set<uint64_t>& made) const;

 private:
  std::vector<Point> neighbourhood(std::mt19937_64& rng) const;
  Point spread(std::mt19937_64& rng) const;
  Point child_of(const std::vector<Point>& parents, std::mt19937_64& rng) const;
  Point change_loops(std::mt19937_64& rng) const;

  const Space& space_;
  Options options_;
  BestPoints best_;
  BestLayouts layouts_;
  std::vector<Point> parents_;  // points of best_
};

}  // namespace dovetail
