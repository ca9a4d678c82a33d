// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/trace_text.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

TEST(TraceText, HasTheAlgorithmWithoutItsParameters) {
  EXPECT_EQ(recorded_algorithm("algorithm: winograd(tile=2)\nlayout X:\n"), "winograd");
  EXPECT_EQ(recorded_algorithm("algorithm: winograd_inner_product\nlayout X:\n"),
            "winograd_inner_product");
  EXPECT_EQ(recorded_algorithm("algorithm: pairs(of=4)\nlayout X:\n"), "winograd_inner_product")
      << "its name in older logs";
  EXPECT_EQ(recorded_algorithm("layout X:\nloops: unroll(w)\n"), "");
  EXPECT_EQ(recorded_algorithm(""), "");
}

TEST(TraceText, IsOfOneWayWhereAlgorithmAndLinesAreTheSame) {
  const auto direct = way_of("layout X:\nloops: unroll(w)\n");
  EXPECT_EQ(way_of("layout X: reorder(h, w)\nloops: unroll(h)\n"), direct);
  EXPECT_NE(way_of("layout X:\nloops X.pad:\nloops: unroll(w)\n"), direct);
  EXPECT_NE(way_of("algorithm: winograd(tile=2)\nlayout X:\n"),
            way_of("algorithm: winograd(tile=4)\nlayout X:\n"));
}

}  // namespace
}  // namespace dovetail
