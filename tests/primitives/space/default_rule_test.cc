// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/default_rule.h"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string default_trace_of(std::string_view spec) {
  Target target = testing::cpu(16, 32);
  target.l3_bytes = 32 << 20;
  return print(testing::space_of(spec, target).default_trace());
}

TEST(DefaultRule, KeepsImagesApartWhereTheInputExceedsTheCaches) {
  const std::string layer = ",ci=256,co=256,depth=16,h=14,w=14,k=3,p=1";
  EXPECT_THAT(default_trace_of("c3d:n=1" + layer), HasSubstr("reorder(o.0.0, d, "));
  EXPECT_THAT(default_trace_of("c3d:n=16" + layer), HasSubstr("reorder(n, o.0.0, d, "));
}

TEST(DefaultRule, KeepsProductsApartThatShareNothing) {
  EXPECT_THAT(default_trace_of("gmm:b=4,m=64,n=64,k=64"), HasSubstr("reorder(b, n.0, "));
}

TEST(DefaultRule, ReadsALargeInputOnceForAllPhases) {
  const std::string layer = ",ci=64,co=1,depth=32,h=32,w=32,k=4,s=2,p=1";
  EXPECT_THAT(default_trace_of("t3d:n=1" + layer), HasSubstr("reorder(d.1, h.1, "));
  EXPECT_THAT(default_trace_of("t3d:n=16" + layer), HasSubstr("d.0, h.0.0, d.1, h.1, i.0"));
}

TEST(DefaultRule, StreamsChannelsWhereMemoryDecides) {
  const std::string layer = ",ci=64,co=64,depth=16,h=56,w=56,k=1";
  const std::string from_caches = default_trace_of("c3d:n=1" + layer);
  EXPECT_THAT(from_caches, HasSubstr("layout Y: split(axis=o, factor=16)"));
  EXPECT_THAT(from_caches, Not(HasSubstr("stores=streaming")));
  const std::string from_memory = default_trace_of("c3d:n=16" + layer);
  EXPECT_THAT(from_memory, HasSubstr("layout X: reorder(n, d, h, w, i)\n"));
  EXPECT_THAT(from_memory, HasSubstr("layout Y: reorder(n, d, h, w, o)\n"));
  EXPECT_THAT(from_memory, HasSubstr("stores=streaming"));
}

}  // namespace
}  // namespace dovetail
