// SPDX-License-Identifier: Apache-2.0
#pragma once

// AwaitedPoints: which point each trace that a strategy proposed came from, until it is observed.
//
//   awaited.add(proposed, /*tag=*/3);
//   awaited.add_all(several)             their traces, as `propose` returns them
//   awaited.take(observation.trace)      {the point, 3}; nothing: somebody else's trace
//
// The default trace is awaited from the start, since a tuner measures it first of all. The tag is
// the strategy's to use: which of its walks proposed the point.

#include <optional>
#include <unordered_map>
#include <vector>

#include "search/strategies/points/unseen_points.h"

namespace dovetail {

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
