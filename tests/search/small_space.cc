// SPDX-License-Identifier: Apache-2.0
#include "tests/search/small_space.h"

namespace dovetail::testing {
namespace {

Operator product(const char* spec) { return *parse_operator(spec); }

Parameter parameter(std::string name, std::vector<int64_t> values) {
  return {.tensor = {},
          .axis = {},
          .name = std::move(name),
          .meaning = "for tests",
          .depends_on = {},
          .domain = [values](const Point&) { return values; },
          .labels = {}};
}

// tile.m, tile.n, then whether the rows are parallel.
Trace decode(const Point& point) {
  StageLoops loops;
  if (point[0] > 1) loops.primitives.emplace_back(loop::Split{.loop = "m", .factor = point[0]});
  if (point[1] > 1) loops.primitives.emplace_back(loop::Split{.loop = "n", .factor = point[1]});
  if (point[2] == 1) {
    loops.primitives.emplace_back(loop::Parallel{.loop = "b"});
  }
  return {.layouts = {}, .loops = {loops}};
}

Space make_space(const char* spec, std::vector<int64_t> tile_m, std::vector<int64_t> tile_n) {
  const Point default_point{tile_m.back(), tile_n.back(), 0};
  return {product(spec),
          Target{},
          {parameter("tile.m", std::move(tile_m)), parameter("tile.n", std::move(tile_n)),
           parameter("parallel", {0, 1})},
          decode,
          default_point};
}

}  // namespace

Space small_space(const SmallSpaceOptions& options) {
  std::vector<int64_t> tile_m{1, 2, 4, 8};
  if (options.with_illegal) tile_m.insert(tile_m.begin() + 2, 3);
  return make_space("gmm:m=8,n=16,k=4", tile_m, {1, 2, 4, 8, 16});
}

Space illegal_space() { return make_space("gmm:m=8,n=16,k=4", {3}, {5, 7}); }

Space larger_space() {
  std::vector<int64_t> tile_m, tile_n;
  for (int64_t i = 1; i <= 720; ++i) {
    if (720 % i == 0) tile_m.push_back(i);
    if (5040 % i == 0) tile_n.push_back(i);
  }
  return make_space("gmm:m=720,n=5040,k=4", tile_m, tile_n);
}

Space conditional_space() {
  std::vector<Parameter> parameters(4);
  parameters[0] = parameter("tile.m", {1, 2, 4, 8});
  parameters[1] = parameter("tile.k", {});
  parameters[1].depends_on = {0};
  parameters[1].domain = [](const Point& earlier) {
    std::vector<int64_t> values;
    for (int64_t tile = 1; tile * earlier[0] <= 8; tile *= 2) values.push_back(tile);
    return values;
  };
  parameters[2] = parameter("threads", {0, 1});
  parameters[2].labels = {"off", "on"};
  parameters[2].off_percent = 90;
  parameters[3] = parameter("tile.n", {});
  parameters[3].depends_on = {2};
  parameters[3].only_with = {{2, 1}};
  parameters[3].domain = [](const Point& earlier) {
    return earlier[2] == 1 ? std::vector<int64_t>{1, 2, 4, 8} : std::vector<int64_t>{1};
  };
  const auto decode_point = [](const Point& point) {
    StageLoops loops;
    const char* names[] = {"m", "k", "b", "n"};
    for (const size_t k : {0, 1, 3}) {
      if (point[k] > 1) loops.primitives.emplace_back(loop::Split{names[k], point[k]});
    }
    if (point[2] == 1) loops.primitives.emplace_back(loop::Parallel{.loop = "b"});
    return Trace{.layouts = {}, .loops = {loops}};
  };
  return {product("gmm:m=8,n=16,k=8"), Target{}, parameters, decode_point, {1, 1, 0, 1}};
}

}  // namespace dovetail::testing
