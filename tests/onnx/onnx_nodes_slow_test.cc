// SPDX-License-Identifier: Apache-2.0
// ONNX's own cases, node by node: with default traces on this CPU and on the first OpenCL device,
// and with random ones on this CPU. Each test takes every eighth case, so that shards share them,
// and records one verdict per case, for scripts/onnx-cases.
//
// OpenCL takes half a second to compile a case, and random traces come in three seeds: by default
// (continuous integration), OpenCL runs every fourth case and random traces one seed. With
// DOVETAIL_ALL_ONNX_CASES=1, which scripts/onnx-cases sets, everything runs.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/onnx/network_case.h"

#if DOVETAIL_HAVE_OPENCL
#include "tests/core/codegen/opencl/execution.h"
#endif

namespace dovetail {
namespace {

using testing::CaseRun;
using testing::NetworkCase;

constexpr size_t kParts = 8;
constexpr size_t kEveryCaseOnOpencl = 4;

bool takes_all() { return std::getenv("DOVETAIL_ALL_ONNX_CASES") != nullptr; }

// All but whole models, which the package has no files of.
std::vector<NetworkCase> cases_of_part(size_t part, size_t parts = kParts) {
  std::vector<NetworkCase> cases;
  const auto folders = list_onnx_cases(kOnnxTestDataFolder);
  EXPECT_TRUE(folders) << folders.error().message;
  if (!folders) return cases;
  for (size_t i = part; i < folders->size(); i += parts)
    if ((*folders)[i].find("/real/") == std::string::npos) cases.emplace_back((*folders)[i]);
  return cases;
}

class OnnxNodes : public ::testing::TestWithParam<size_t> {
 protected:
  static void expect_right(const std::string& target, size_t every = 1) {
    for (const NetworkCase& one : cases_of_part(GetParam(), kParts * every)) {
      if (!one.refusal().empty()) {
        RecordProperty(one.name(), "not supported: " + one.refusal());
        continue;
      }
      const CaseRun run = one.run(target);
      RecordProperty(one.name(), run.wrong.empty() ? "right" : "wrong");
      EXPECT_EQ(run.wrong, "") << one.name();
    }
  }
};

TEST_P(OnnxNodes, ComputeWhatTheyMustOnCpu) { expect_right("cpu"); }

#if DOVETAIL_HAVE_OPENCL
TEST_P(OnnxNodes, ComputeWhatTheyMustOnOpencl) {
  DOVETAIL_REQUIRE_OPENCL();
  expect_right("opencl", takes_all() ? 1 : kEveryCaseOnOpencl);
}
#endif

TEST_P(OnnxNodes, ComputeTheSameWithRandomTraces) {
  const uint64_t traces = takes_all() ? 3 : 1;
  int64_t random_traces = 0;
  for (const NetworkCase& one : cases_of_part(GetParam())) {
    if (!one.refusal().empty()) continue;
    for (uint64_t seed = 1; seed <= traces; ++seed) {
      const CaseRun run = one.run("cpu", seed);
      EXPECT_EQ(run.wrong, "") << one.name() << " with random traces of seed " << seed;
      random_traces += run.random_traces;
      if (run.random_traces == 0) break;  // its regions have one point each
    }
  }
  EXPECT_GE(random_traces, 10);
}

INSTANTIATE_TEST_SUITE_P(Part, OnnxNodes, ::testing::Range(size_t{0}, kParts),
                         [](const auto& info) { return std::to_string(info.param); });

// The tests above check that supported cases are right; this one, that they do not become fewer.
TEST(OnnxNodesInAll, AreSupportedAsFarAsTheyWere) {
  constexpr int kOfNodes = 727, kConverted = 119;
  int of_nodes = 0, converted = 0;
  for (const NetworkCase& one : cases_of_part(0, 1))
    (one.name().starts_with("node.") ? of_nodes : converted) += one.refusal().empty() ? 1 : 0;
  EXPECT_GE(of_nodes, kOfNodes);
  EXPECT_GE(converted, kConverted);
}

}  // namespace
}  // namespace dovetail
