// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/compile.h"

#include <gtest/gtest.h>

#include "tests/core/codegen/llvm/compiled_program.h"
#include "tests/core/codegen/llvm/programs.h"
#include "tests/support/expect_error.h"

namespace dovetail::testing {
namespace {

TEST(CompileCpu, ConvolutionIsRight) {
  const Program program = program_of(kConvolution);
  Elements elements = small_integers(program, 7);
  const Elements before = elements;
  const CompiledProgram compiled = *CompiledProgram::compile(program, host_cpu());
  ASSERT_TRUE(compiled.run(elements).has_value());
  const auto x = [&](int i, int h, int w) {
    if (h < 0 || h >= 56 || w < 0 || w >= 56) return 0.0f;
    return before.find("X")->second[((i / 16 * 56 + h) * 56 + w) * 16 + i % 16];
  };
  const auto weight = [&](int o, int i, int kh, int kw) {
    return before.find("W")
        ->second[((((o / 32 * 4 + i / 16) * 3 + kh) * 3 + kw) * 16 + i % 16) * 32 + o % 32];
  };
  for (int o = 0; o < 64; o += 3)
    for (int h = 0; h < 56; h += 5)
      for (int w = 0; w < 56; ++w) {
        float sum = 0;
        for (int i = 0; i < 64; ++i)
          for (int kh = 0; kh < 3; ++kh)
            for (int kw = 0; kw < 3; ++kw)
              sum += x(i, h + kh - 1, w + kw - 1) * weight(o, i, kh, kw);
        ASSERT_EQ(elements.find("Y")->second[((o / 16 * 56 + h) * 56 + w) * 16 + o % 16], sum)
            << o << " " << h << " " << w;
      }
}

}  // namespace
}  // namespace dovetail::testing
