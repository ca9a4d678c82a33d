// SPDX-License-Identifier: Apache-2.0
#include "tests/search/measured_space.h"

#include <gtest/gtest.h>

#include <cmath>
#include <unordered_set>

#include "primitives/space/reduced_space.h"
#include "search/candidate.h"
#include "search/strategies/points/points.h"

namespace dovetail::testing {
namespace {

double made_up_seconds(const Space& space, const Point& point, uint64_t trace_hash) {
  const std::vector<double> places = encode(space, point);
  double factors = 0;
  for (size_t k = 0; k < places.size(); ++k) {
    const double best = static_cast<double>(k % 5) / 4;
    factors += (places[k] - best) * (places[k] - best) * static_cast<double>(1 + k % 3);
  }
  const double noise = 1e-4 * static_cast<double>(trace_hash % 1000);
  return 1e-5 * std::exp(0.3 * factors + noise);
}

PointResult result_of(const Space& space, const Point& point, uint64_t trace_hash) {
  PointResult result{.values = point, .trace_hash = trace_hash};
  if (trace_hash % 23 == 0) {
    result.status = Status::timeout;
  } else {
    result.seconds = made_up_seconds(space, point, trace_hash);
  }
  result.build_seconds = 0.008;
  result.check_seconds = 0.002;
  result.run_seconds = 100 * result.seconds;
  return result;
}

}  // namespace

MeasuredSpace made_up_measurements(const Space& space) {
  MeasuredSpace measured{.task = print(*space.spec().region.op),
                         .target = "cpu",
                         .space = "reduced",
                         .tool = "test",
                         .device = print(space.target()),
                         .parameters = {}};
  for (const Parameter& parameter : space.parameters())
    measured.parameters.push_back(parameter.name);
  std::unordered_set<uint64_t> seen;
  for (std::optional<Point> at = first_point(space); at; at = next_point(space, *at)) {
    const Trace trace = space.decode(*at);
    if (!seen.insert(hash(trace)).second) continue;
    if (!materialize(*space.spec().region.op, space.target(), trace)) continue;
    measured.points.push_back(result_of(space, *at, hash(trace)));
  }
  EXPECT_TRUE(measured.index());
  return measured;
}

ReducedMeasurements reduced_product(int64_t most_points) {
  return reduced_measurements("gmm:m=16,n=32,k=16", most_points);
}

ReducedMeasurements reduced_measurements(const std::string& spec, int64_t most_points) {
  Target target;
  const Space whole = *build_space(*parse_operator(spec), target);
  Space space = *reduced_space(whole, at_most(most_points));
  MeasuredSpace measured = made_up_measurements(space);
  measured.most_points = most_points;
  return {.space = std::move(space), .measured = std::move(measured)};
}

}  // namespace dovetail::testing
