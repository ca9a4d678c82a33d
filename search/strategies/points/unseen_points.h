// SPDX-License-Identifier: Apache-2.0
#pragma once

// UnseenPoints: the part of a space that a strategy has not proposed yet.
//
//   UnseenPoints unseen(space, seed);
//   unseen.take(point)      its trace, if no point with that trace was taken before
//   unseen.draw()           a random one of the rest; nothing: the space is exhausted
//
// Distinct points may decode to the same trace (a split by 1 vanishes), so traces are told apart by
// their hash. When draws only repeat, the rest of the space is enumerated once: a small space is
// thus proposed completely, and ends.

#include <optional>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

#include "primitives/space/space.h"
#include "search/keyed_trace.h"

namespace dovetail {

struct ProposedPoint {
  Point point;
  KeyedTrace trace;
};

class UnseenPoints {
 public:
  // The space must outlive this.
  UnseenPoints(const Space& space, uint64_t seed) : space_(space), rng_(seed) {}

  std::optional<ProposedPoint> draw();
  std::optional<ProposedPoint> take(Point point);
  std::optional<ProposedPoint> take(ProposedPoint proposed);
  // A point whose trace has that key.
  std::optional<ProposedPoint> take(Point point, uint64_t key);
  // An unseen point `changes` mutations away, or more after some tries; empty after some more.
  std::optional<ProposedPoint> take_near(const Point& point, size_t changes);

  bool was_taken(const KeyedTrace& trace) const { return seen_.contains(trace.key); }

  const Space& space() const { return space_; }
  std::mt19937_64& rng() { return rng_; }  // the strategy's only source of randomness

 private:
  void enumerate_left();
  std::optional<ProposedPoint> next_left();

  const Space& space_;
  std::mt19937_64 rng_;
  TraceSet seen_;  // all traces taken
  bool enumerated_ = false;
  std::vector<Point> left_;
};

// The traces of up to n points from `next`, until that is empty.
template <typename Next>
std::vector<KeyedTrace> traces_of(size_t n, Next next) {
  std::vector<KeyedTrace> traces;
  while (traces.size() < n) {
    std::optional<ProposedPoint> proposed = next();
    if (!proposed) break;
    traces.push_back(std::move(proposed->trace));
  }
  return traces;
}

// AwaitedPoints: the points of proposed traces that are not observed yet, by trace.
//
//   awaited.add(proposed, /*tag=*/3);
//   awaited.add_all(several)             their traces, as `propose` returns them
//   awaited.take(observation.trace)      {the point, 3}; nothing: somebody else's trace
//
// The default trace is awaited from the start, since a tuner measures it first of all. The tag is
// for the strategy's use: for instance which of its walks proposed the point.
struct AwaitedPoint {
  Point point;
  size_t tag = 0;
};

class AwaitedPoints {
 public:
  explicit AwaitedPoints(const Space& space) {
    points_[hash(space.default_trace())] = {space.default_point(), 0};
  }
  void add(const ProposedPoint& proposed, size_t tag = 0) {
    points_[proposed.trace.key] = {proposed.point, tag};
  }
  std::vector<KeyedTrace> add_all(std::vector<ProposedPoint> proposed) {
    std::vector<KeyedTrace> traces;
    for (ProposedPoint& one : proposed) {
      add(one);
      traces.push_back(std::move(one.trace));
    }
    return traces;
  }
  std::optional<AwaitedPoint> take(const KeyedTrace& trace) {
    auto node = points_.extract(trace.key);
    return node ? std::optional<AwaitedPoint>(std::move(node.mapped())) : std::nullopt;
  }

 private:
  std::unordered_map<uint64_t, AwaitedPoint> points_;
};

}  // namespace dovetail
