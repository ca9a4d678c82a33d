// SPDX-License-Identifier: Apache-2.0
//
// Spaces that were measured when names were letters are those of now.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/record/export/measured_space.h"
#include "primitives/space/space.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

std::vector<std::string> committed_spaces() {
  std::vector<std::string> paths;
  const std::filesystem::path folder = testing::source_dir() / "results/spaces";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().filename() == "space.json.gz") paths.push_back(entry.path().string());
  }
  return paths;
}

// Each column of a measured space is one parameter of the space, at this position; nothing where
// one is of none.
std::optional<std::vector<size_t>> positions_of(const Space& space,
                                                const std::vector<std::string>& names) {
  std::vector<size_t> positions;
  for (const std::string& name : names) {
    const auto is_it = [&](const Parameter& parameter) { return is_called(parameter, name); };
    if (std::ranges::count_if(space.parameters(), is_it) != 1) return std::nullopt;
    positions.push_back(static_cast<size_t>(std::ranges::find_if(space.parameters(), is_it) -
                                            space.parameters().begin()));
  }
  return positions;
}

// Parameters of an algorithm that is not chosen have the default rule's values, which may have
// changed since.
void leave_unchosen(const Space& space, Point& point) {
  for (size_t k = 0; k < point.size(); ++k) {
    for (const Condition& condition : space.parameters()[k].only_with)
      if (point[condition.parameter] != condition.value) point[k] = space.default_point()[k];
  }
}

struct Sampled {
  int same = 0, other = 0;
};

// Some twenty points, by their traces.
Sampled sampled(const Space& space, const MeasuredSpace& measured) {
  Sampled result;
  const auto positions = positions_of(space, measured.parameters);
  for (size_t k = 0; positions && k < measured.points.size(); k += measured.points.size() / 20) {
    Point point = space.default_point();
    // A space without a column of algorithms was direct, whatever the default computes with now.
    if (space.parameters()[0].kind == ParameterKind::algorithm) point[0] = 0;
    for (size_t column = 0; column < positions->size(); ++column)
      point[(*positions)[column]] = measured.points[k].values[column];
    leave_unchosen(space, point);
    if (!space.contains(point)) continue;  // a column that has one value is not in the file
    const bool is_same = hash(space.decode(point)) == measured.points[k].trace_hash;
    ++(is_same ? result.same : result.other);
  }
  return result;
}

TEST(MeasuredSpaces, OfBeforeHaveTheSameTraces) {
  const std::vector<std::string> paths = committed_spaces();
  EXPECT_GE(paths.size(), 17u);
  for (const std::string& path : paths) {
    const MeasuredSpace measured = right(read_measured_space(path));
    const auto same = [&](RowAxes rows) {
      const Space space =
          right(build_space(right(parse_operator(measured.task)),
                            right(parse_target(measured.device)), std::nullopt, rows));
      const Sampled found = sampled(space, measured);
      return found.other == 0 ? found.same : 0;
    };
    EXPECT_GT(std::max(same(RowAxes::merged), same(RowAxes::apart)), 10) << path;
  }
}

}  // namespace
}  // namespace dovetail
