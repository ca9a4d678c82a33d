// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/codegen/opencl/emit.h"
#include "tests/core/codegen/opencl/execution.h"
#include "tests/core/codegen/opencl/random_nest.h"

namespace dovetail::testing {
namespace {

TEST(OpenclRandomNests, AgreeWithTheInterpreterOrAreRefusedInOneLine) {
  DOVETAIL_REQUIRE_OPENCL();
  int executed = 0;
  int refused = 0;
  for (uint64_t seed = 0; executed < 150; ++seed) {
    SCOPED_TRACE(seed);
    const Program program = random_nest(seed);
    const auto source = emit_opencl(program, first_device()->target());
    if (!source) {
      ++refused;
      EXPECT_EQ(source.error().message.find('\n'), std::string::npos);
      // The one reason that these programs give: an output image stored element by element.
      ASSERT_NE(source.error().message.find("is stored in parts of a texel"), std::string::npos)
          << source.error().message;
      continue;
    }
    ++executed;
    ASSERT_TRUE(device_agrees(program));
  }
  EXPECT_LT(refused, executed);
}

}  // namespace
}  // namespace dovetail::testing
