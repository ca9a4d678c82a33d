// SPDX-License-Identifier: Apache-2.0
// The small forms of the networks that scripts/make-models writes run node by node, each node
// checked against the reference.
#include <gtest/gtest.h>

#include <algorithm>

#include "campaign/run/run.h"
#include "tests/core/frontend/model_file.h"
#include "tests/models/onnx_export.h"
#include "tests/models/sample_models.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

std::vector<std::string> small_names() {
  std::vector<std::string> names;
  for (const std::string& name : sample_model_names())
    if (name.ends_with("-small")) names.push_back(name);
  names.emplace_back("mobilenet_v2-small-b3");
  return names;
}

class SampleNetworks : public ::testing::TestWithParam<std::string> {};

TEST_P(SampleNetworks, RunNodeByNode) {
  RunSpecOptions options;
  options.spec = testing::scratch_path(GetParam() + ".onnx");
  ASSERT_TRUE(export_onnx(right(build_sample_model(GetParam(), 18)), options.spec));
  const RunRow row = right(run_spec(options, {})).rows.front();
  EXPECT_EQ(row.reason, "");
  EXPECT_GT(row.nodes, 20);
  EXPECT_LT(row.views, row.nodes / 2);
  EXPECT_GT(row.max_abs_error, 0);  // they compute in 32 bits, the reference in 64
}

INSTANTIATE_TEST_SUITE_P(Onnx, SampleNetworks, ::testing::ValuesIn(small_names()),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace dovetail
