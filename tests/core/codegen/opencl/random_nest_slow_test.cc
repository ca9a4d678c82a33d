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
  int part_texels = 0;
  int too_long = 0;
  for (uint64_t seed = 0; executed < 150; ++seed) {
    SCOPED_TRACE(seed);
    const Program program = random_nest(seed);
    const auto source = emit_opencl(program, (*first_device())->target());
    if (source) {
      ++executed;
      ASSERT_TRUE(device_agrees(program));
      continue;
    }
    // These programs have two reasons: an output image stored element by element, and loops
    // written out beyond the limit.
    const std::string& reason = source.error().message;
    EXPECT_EQ(reason.find('\n'), std::string::npos);
    const bool is_part = reason.find("is stored in parts of a texel") != std::string::npos;
    const bool is_long = reason.find("expand to more than 4096 statements") != std::string::npos;
    ASSERT_TRUE(is_part || is_long) << reason;
    part_texels += is_part ? 1 : 0;
    too_long += is_long ? 1 : 0;
  }
  RecordProperty("refused_part_texels", part_texels);
  RecordProperty("refused_too_long", too_long);
  EXPECT_LT(part_texels + too_long, executed);
  EXPECT_LT(too_long, 15);  // long ones are rare, or the limit is in the way of ordinary nests
}

}  // namespace
}  // namespace dovetail::testing
