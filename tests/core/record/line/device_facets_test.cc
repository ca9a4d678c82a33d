// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/log_header.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

TEST(DeviceFacets, OfACpuAreItsNameAndInstructionSet) {
  Target target;
  target.device = "AMD EPYC (znver5)";
  target.driver = "LLVM 19.1.7";
  target.vector_bytes = 64;
  target.llvm_triple = "x86_64-pc-linux-gnu";
  const DeviceFacets facets = facets_of(target);
  EXPECT_EQ(facets.name, "AMD EPYC (znver5)");
  EXPECT_EQ(facets.family, "x86_64/16");
  EXPECT_EQ(facets.more.at("vector_bytes"), "64");
  for (const char* said_elsewhere : {"name", "family", "device", "driver"}) {
    EXPECT_FALSE(facets.more.contains(said_elsewhere));
  }
}

TEST(DeviceFacets, OfAGpuAreItsNameAndDriverWithoutVersion) {
  Target target;
  target.name.backend = "opencl";
  target.execution = ExecutionModel::work_groups;
  target.device = "pthread-skylake-avx512";
  target.driver = "PoCL 3.1";
  EXPECT_EQ(facets_of(target).name, "pthread-skylake-avx512");
  EXPECT_EQ(facets_of(target).family, "pocl");
}

}  // namespace
}  // namespace dovetail
