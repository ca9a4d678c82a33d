// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/recovery.h"

#include <gtest/gtest.h>
#include <llvm/Support/ErrorHandling.h>

#include <thread>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

TEST(SurviveLlvm, GivesTheReasonOfAFatalError) {
  EXPECT_ERROR(survive_llvm([] { llvm::report_fatal_error("Cannot select: x\n  more of it"); }),
               "LLVM: Cannot select: x");
}

TEST(SurviveLlvm, GoesOnAfterwards) {
  bool is_done = false;
  EXPECT_TRUE(survive_llvm([&] { is_done = true; }));
  EXPECT_TRUE(is_done);
}

TEST(SurviveLlvm, IsForEachThreadByItself) {
  std::thread other([] {
    for (int n = 0; n < 20; ++n)
      EXPECT_ERROR(survive_llvm([] { llvm::report_fatal_error("there"); }), "LLVM: there");
  });
  for (int n = 0; n < 20; ++n)
    EXPECT_ERROR(survive_llvm([] { llvm::report_fatal_error("here"); }), "LLVM: here");
  other.join();
}

}  // namespace
}  // namespace dovetail
