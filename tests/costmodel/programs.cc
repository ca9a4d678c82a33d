// SPDX-License-Identifier: Apache-2.0
#include "tests/costmodel/programs.h"

#include <algorithm>

#include "core/base/check.h"
#include "costmodel/features/features.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "tests/primitives/points.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

Result<Program> lowered(const Space& space, const Point& point) {
  const Schedule schedule =
      TRY(apply(space.decode(point), *space.spec().region.op, space.target()));
  return lower(schedule, space.target());
}

}  // namespace

Target cpu(int threads) {
  Target target;
  target.name.threads = threads;
  target.vector_bytes = 64;
  target.vector_registers = 32;
  target.l1_bytes = 48 << 10;
  target.l2_bytes = 1 << 20;
  target.l3_bytes = 32 << 20;
  return target;
}

Program program_of(std::string_view text) { return right(parse_program(text), "program"); }

Space space_of(std::string_view spec, const Target& target) {
  return right(build_space(right(parse_operator(spec), spec), target), spec);
}

Program program_at(std::string_view spec, const Target& target, const NamedValues& choices) {
  const Space space = space_of(spec, target);
  return right(lowered(space, point_with(space, choices)), spec);
}

std::vector<Program> random_programs(std::string_view spec, const Target& target, size_t count,
                                     uint64_t seed) {
  const Space space = space_of(spec, target);
  std::mt19937_64 random(seed);
  std::vector<Program> programs;
  for (int draw = 0; programs.size() < count && draw < 1000; ++draw) {
    const Point point = draw % 2 == 0 ? space.sample(random) : busy_point(space, random);
    Result<Program> program = lowered(space, point);
    if (program) programs.push_back(std::move(*program));
  }
  return programs;
}

float feature(const Program& program, const Target& target, std::string_view name) {
  const auto names = feature_names();
  const auto found = std::ranges::find(names, name);
  CHECK(found != names.end(), "no feature " + std::string(name));
  return extract_features(program, target)[static_cast<size_t>(found - names.begin())];
}

}  // namespace dovetail::testing
