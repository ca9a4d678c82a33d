// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/points/unseen_points.h"

#include "search/strategies/points/points.h"

namespace dovetail {
namespace {

// After this many repeats in a row, unseen points are rare: they are enumerated instead.
constexpr int kRepeatsUntilEnumeration = 1000;
// Larger spaces count as exhausted instead (enumerating this many takes a few seconds).
constexpr double kMaxEnumeratedPoints = 1e6;

}  // namespace

std::optional<ProposedPoint> UnseenPoints::draw() {
  for (int repeats = 0; !enumerated_ && repeats < kRepeatsUntilEnumeration; ++repeats)
    if (std::optional<ProposedPoint> taken = take(space_.sample(rng_))) return taken;
  if (!enumerated_) enumerate_left();
  return next_left();
}

std::optional<ProposedPoint> UnseenPoints::take(Point point) {
  KeyedTrace trace = space_.decode(point);
  return take(ProposedPoint{std::move(point), std::move(trace)});
}

std::optional<ProposedPoint> UnseenPoints::take(ProposedPoint proposed) {
  if (!seen_.insert(proposed.trace.key)) return std::nullopt;
  return proposed;
}

std::optional<ProposedPoint> UnseenPoints::take(Point point, uint64_t key) {
  if (!seen_.insert(key)) return std::nullopt;
  Trace trace = space_.decode(point);
  return ProposedPoint{std::move(point), KeyedTrace(std::move(trace), key)};
}

std::optional<ProposedPoint> UnseenPoints::take_near(const Point& point, size_t changes) {
  constexpr int kTries = 32;
  for (int tries = 0; tries < kTries; ++tries) {
    if (tries % 8 == 7) ++changes;
    if (std::optional<ProposedPoint> taken = take(mutate(space_, point, changes, rng_)))
      return taken;
  }
  return std::nullopt;
}

void UnseenPoints::enumerate_left() {
  enumerated_ = true;
  if (space_.count() > kMaxEnumeratedPoints) return;
  TraceSet found = seen_;
  for (std::optional<Point> at = first_point(space_); at; at = next_point(space_, *at))
    if (found.insert(hash(space_.decode(*at)))) left_.push_back(*at);
  shuffle(left_, rng_);
}

std::optional<ProposedPoint> UnseenPoints::next_left() {
  while (!left_.empty()) {
    std::optional<ProposedPoint> taken = take(std::move(left_.back()));
    left_.pop_back();
    if (taken) return taken;
  }
  return std::nullopt;
}

}  // namespace dovetail
