// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/dovetail_searches.h"

#include "search/strategies/points/points.h"

namespace dovetail {
namespace {

constexpr size_t kTries = 4;            // attempts per candidate
constexpr double kCrossings = 0.3;      // share of evolution's candidates
constexpr double kTwoChanges = 0.3;     // share of mutants
constexpr double kWithBestLoops = 0.5;  // share of spread points, once there is a best

// Appends the point if its trace is new to the strategy and to the round.
void keep_new(const Space& space, Point point, const UnseenPoints& unseen,
              std::unordered_set<uint64_t>& made, std::vector<ProposedPoint>& found) {
  KeyedTrace trace = space.decode(point);
  if (unseen.was_taken(trace) || !made.insert(trace.key).second) return;
  found.push_back({std::move(point), std::move(trace)});
}

size_t drawn_changes(std::mt19937_64& rng) { return draw_fraction(rng) < kTwoChanges ? 2 : 1; }

}  // namespace

Searches::Searches(const Space& space, const Options& options)
    : space_(space),
      options_(options),
      best_(std::max(options.parents, options.centres)),
      layouts_(space, options.layouts) {}

void Searches::add(const Point& point, double seconds) {
  best_.add(point, seconds);
  layouts_.add(point, seconds);
  parents_ = points_of(best_.points());
}

std::vector<ProposedPoint> Searches::make(Search search, size_t count, UnseenPoints& unseen,
                                          std::unordered_set<uint64_t>& made) const {
  std::vector<ProposedPoint> found;
  if (search == Search::descend) {
    for (Point& point : neighbourhood(unseen.rng()))
      keep_new(space_, std::move(point), unseen, made, found);
    return found;
  }
  if (search == Search::evolve) return breed(parents_, count, unseen, made);
  if (search == Search::loops && !has_measured()) return found;
  for (size_t tries = 0; tries < kTries * count && found.size() < count; ++tries) {
    Point next = search == Search::loops ? change_loops(unseen.rng()) : spread(unseen.rng());
    keep_new(space_, std::move(next), unseen, made, found);
  }
  return found;
}

std::vector<ProposedPoint> Searches::breed(const std::vector<Point>& parents, size_t count,
                                           UnseenPoints& unseen,
                                           std::unordered_set<uint64_t>& made) const {
  std::vector<ProposedPoint> found;
  for (size_t tries = 0; tries < kTries * count && found.size() < count && !parents.empty();
       ++tries)
    keep_new(space_, child_of(parents, unseen.rng()), unseen, made, found);
  return found;
}

// Neighbours of the fastest points, or of the default point before any is measured.
std::vector<Point> Searches::neighbourhood(std::mt19937_64& rng) const {
  std::vector<Point> centres = parents_;
  if (centres.size() > options_.centres) centres.resize(options_.centres);
  if (centres.empty()) centres.push_back(space_.default_point());
  std::vector<Point> found;
  for (const Point& centre : centres)
    for (Neighbour& beside : neighbours(space_, centre, Step::adjacent))
      found.push_back(std::move(beside.point));
  shuffle(found, rng);
  return found;
}

// A random point, in part with the loops of one of the best.
Point Searches::spread(std::mt19937_64& rng) const {
  Point point = space_.sample(rng);
  if (!has_measured() || draw_fraction(rng) >= kWithBestLoops) return point;
  const Point& best = draw_by_rank(parents_, rng);
  for (size_t k = 0; k < point.size(); ++k)
    if (layouts_.is_loop(k)) point[k] = best[k];
  return repair(space_, point);
}

Point Searches::child_of(const std::vector<Point>& parents, std::mt19937_64& rng) const {
  const Point& parent = draw_by_rank(parents, rng);
  if (draw_fraction(rng) < kCrossings)
    return cross(space_, parent, draw_by_rank(parents, rng), rng);
  return mutate(space_, parent, drawn_changes(rng), rng);
}

// A mutant that keeps the layout of its parent, where the domains allow.
Point Searches::change_loops(std::mt19937_64& rng) const {
  const std::vector<Point> layouts = points_of(layouts_.points());
  const Point& parent = draw_by_rank(layouts, rng);
  const Point other = space_.sample(rng);
  std::vector<size_t> choices;
  for (size_t k = 0; k < parent.size(); ++k)
    if (layouts_.is_loop(k) && other[k] != parent[k]) choices.push_back(k);
  if (choices.empty()) return mutate(space_, parent, 1, rng);
  Point point = parent;
  for (size_t changes = drawn_changes(rng); changes > 0; --changes) {
    const size_t k = choices[draw_index(rng, choices.size())];
    point[k] = other[k];
  }
  return repair(space_, point);
}

}  // namespace dovetail
