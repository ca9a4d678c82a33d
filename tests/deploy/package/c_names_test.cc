// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/c_names.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail::testing {
namespace {

TEST(CNames, AreIdentifiersNearToTheModels) {
  CNames names("pose");
  EXPECT_EQ(names.add("heatmaps:0"), "heatmaps_0");
  EXPECT_EQ(names.add("/encoder/layer.0/Add_output_0"), "encoder_layer_0_Add_output_0");
  EXPECT_EQ(names.add("205"), "tensor_205");
  EXPECT_EQ(names.add("__x__"), "x");
  EXPECT_EQ(names.add(""), "tensor");
  EXPECT_EQ(names.add("Größe"), "Gr_e");
  EXPECT_EQ(names.add("pose_abi"), "tensor_pose_abi");  // the header has a macro POSE_ABI
}

TEST(CNames, AreNumberedWhereTheyMeet) {
  CNames names("pose");
  names.keep("workspace");
  EXPECT_EQ(names.add("index-x"), "index_x");
  EXPECT_EQ(names.add("index--x"), "index_x_2");
  EXPECT_EQ(names.add("index_x_2"), "index_x_2_2");
  EXPECT_EQ(names.add("INDEX_X"), "INDEX_X_3");  // one macro for both
  EXPECT_EQ(names.add("workspace"), "workspace_2");
}

TEST(CNames, AreNoKeywords) {
  CNames names("pose");
  EXPECT_EQ(names.add("class"), "class_");
  EXPECT_EQ(names.add("class"), "class_2");
  EXPECT_EQ(names.add("linux"), "linux_");
}

TEST(CNames, APackageIsNoKeywordAndNoFunctionOfC) {
  for (const char* name : {"pose", "mobilenet_v2", "B", "x1"})
    EXPECT_TRUE(check_package_name(name).has_value()) << name;
  EXPECT_ERROR(check_package_name(""), "is no C identifier");
  EXPECT_ERROR(check_package_name("2d"), "is no C identifier");
  EXPECT_ERROR(check_package_name("_x"), "is no C identifier");
  EXPECT_ERROR(check_package_name("a-b"), "is no C identifier; expected a letter");
  EXPECT_ERROR(check_package_name("a\nb"), "\"a\\x0ab\"");
  EXPECT_ERROR(check_package_name("a__b"), "single underscores");
  EXPECT_ERROR(check_package_name("while"), "keyword");
  EXPECT_ERROR(check_package_name("namespace"), "keyword");
  EXPECT_ERROR(check_package_name("signal"), "standard headers");
  EXPECT_ERROR(check_package_name("main"), "standard headers");
  EXPECT_ERROR(check_package_name("pose_t"), "standard headers");
  EXPECT_ERROR(check_package_name(std::string(49, 'a')), "at most 48");
}

}  // namespace
}  // namespace dovetail::testing
