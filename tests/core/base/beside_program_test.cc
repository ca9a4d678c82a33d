// SPDX-License-Identifier: Apache-2.0
#include "core/base/beside_program.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

TEST(FindBesideProgram, FindsWhatLiesBesideThisProgramAndInTheFolderAbove) {
  const auto self = find_beside_program("test_core_base");
  ASSERT_TRUE(self.has_value());
  EXPECT_EQ(*self, program_folder() / "test_core_base");
  const std::string folder = program_folder().filename().string();
  EXPECT_EQ(find_beside_program(folder), program_folder());
  EXPECT_EQ(find_beside_program("none"), std::nullopt);
}

}  // namespace
}  // namespace dovetail
