// SPDX-License-Identifier: Apache-2.0
//
// Spaces that were measured when names were letters are those of now.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/record/export/measured_space.h"
#include "primitives/space/space.h"
#include "search/compare/simulate/simulated_space.h"
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

// Each column of a measured space is one parameter of the space, at this position.
std::vector<size_t> positions_of(const Space& space, const std::vector<std::string>& names) {
  std::vector<size_t> positions;
  for (const std::string& name : names) {
    const auto is_it = [&](const Parameter& parameter) { return is_called(parameter, name); };
    EXPECT_EQ(std::ranges::count_if(space.parameters(), is_it), 1) << name;
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

TEST(MeasuredSpaces, OfBeforeHaveTheSameTraces) {
  const std::vector<std::string> paths = committed_spaces();
  EXPECT_GE(paths.size(), 17u);
  for (const std::string& path : paths) {
    const MeasuredSpace measured = right(read_measured_space(path));
    const Space space = right(whole_space(measured, right(parse_target(measured.device))));
    const std::vector<size_t> positions = positions_of(space, measured.parameters);
    ASSERT_FALSE(::testing::Test::HasFailure()) << path;
    int same = 0;
    for (size_t k = 0; k < measured.points.size(); k += measured.points.size() / 20) {
      Point point = space.default_point();
      // A space without a column of algorithms was direct, whatever the default computes with now.
      if (space.parameters()[0].kind == ParameterKind::algorithm) point[0] = 0;
      for (size_t column = 0; column < positions.size(); ++column)
        point[positions[column]] = measured.points[k].values[column];
      leave_unchosen(space, point);
      if (!space.contains(point)) continue;  // a column that has one value is not in the file
      EXPECT_EQ(hash(space.decode(point)), measured.points[k].trace_hash) << path << " " << k;
      ++same;
    }
    EXPECT_GT(same, 10) << path;
  }
}

}  // namespace
}  // namespace dovetail
