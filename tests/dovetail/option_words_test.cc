// SPDX-License-Identifier: Apache-2.0
#include "dovetail/handles/option_words.h"

#include <gtest/gtest.h>

namespace dovetail::api {
namespace {

TEST(OptionWords, AreMembersOfStructs) {
  EXPECT_EQ(with_members("--total-trials 1 is less"), "option total_trials 1 is less");
  EXPECT_EQ(with_members("expected --shape NAME=… (--memory-limit 2)"),
            "expected option shapes NAME=… (option memory_limit_mb 2)");
  EXPECT_EQ(with_members("a--b.onnx -- 3 --, --"), "a--b.onnx -- 3 --, --");
  EXPECT_EQ(with_members(""), "");
}

}  // namespace
}  // namespace dovetail::api
