// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/alternatives.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

Alternative named(std::string name, std::optional<double> estimated_seconds) {
  Alternative alternative;
  alternative.name = std::move(name);
  alternative.decode = [](const Choices&) { return Trace(); };
  alternative.estimated_seconds = estimated_seconds;
  return alternative;
}

int64_t default_of(const std::vector<Alternative>& alternatives) {
  return default_point(alternatives)[0];
}

TEST(Alternatives, TheDefaultIsTheFirstWithoutEstimates) {
  EXPECT_EQ(default_of({named("direct", std::nullopt), named("other", std::nullopt)}), 0);
  EXPECT_EQ(default_of({named("direct", std::nullopt), named("other", 1e-6)}), 0);
  EXPECT_EQ(default_of({named("direct", 1e-3), named("other", std::nullopt)}), 0);
}

TEST(Alternatives, AnotherIsTheDefaultWhereItIsEstimatedToTakeMuchLess) {
  EXPECT_EQ(default_of({named("direct", 1.0), named("a", kWorthIt + 0.01)}), 0);
  EXPECT_EQ(default_of({named("direct", 1.0), named("a", kWorthIt - 0.01)}), 1);
  EXPECT_EQ(default_of({named("direct", 1.0), named("a", 0.6), named("b", 0.59)}), 2);
  EXPECT_EQ(default_of({named("direct", 1.0), named("a", 0.6), named("b", 0.61)}), 1);
}

TEST(Alternatives, OneThatIsMarkedIsTheDefaultWhateverTheEstimates) {
  std::vector<Alternative> alternatives = {named("direct", 1.0), named("a", 0.1),
                                           named("b", std::nullopt)};
  alternatives[2].is_default = true;
  EXPECT_EQ(default_of(alternatives), 2);
}

}  // namespace
}  // namespace dovetail
