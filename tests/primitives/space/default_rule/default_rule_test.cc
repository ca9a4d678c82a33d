// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/default_rule/default_rule.h"

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

// Half a megabyte of second cache, as a Zen 3 has.
std::string trace_on_avx2(std::string_view spec) {
  Target target = testing::cpu(8, 16);
  target.l2_bytes = 512 << 10;
  return print(testing::space_of(spec, target).default_trace());
}

TEST(DefaultRule, KeepsImagesApartWhereTheInputExceedsTheCaches) {
  const std::string layer = ",ci=256,co=256,depth=16,h=14,w=14,k=3,p=1";
  EXPECT_THAT(default_trace_of("c3d:n=1" + layer), HasSubstr("reorder(o.0.0, i.0, d, "));
  EXPECT_THAT(default_trace_of("c3d:n=16" + layer), HasSubstr("reorder(n, o.0.0, i.0, d, "));
}

TEST(DefaultRule, KeepsProductsApartThatShareNothing) {
  EXPECT_THAT(default_trace_of("gmm:b=4,m=64,n=64,k=64"), HasSubstr("reorder(b, n.0, "));
}

// Weights of 512 channels of 3 x 3 by 24: of 16 channels at a time, asked for ahead.
TEST(DefaultRule, SumsInRoundsWhereWeightsFillTheSecondCache) {
  const std::string deep = trace_on_avx2("c2d:ci=512,co=512,h=7,w=7,k=3,p=1");
  EXPECT_THAT(deep, HasSubstr("reorder(o.0.0, i.0, h, w.0, kh, kw, "));
  EXPECT_THAT(deep, HasSubstr("prefetch(tensor=W, at=i.1.0, distance=16)"));
  EXPECT_THAT(trace_on_avx2("c2d:ci=64,co=64,h=56,w=56,k=3,p=1"), HasSubstr("w.0, i.0, kh, kw, "));
  // All of Y would be fetched in each round: rows of tiles stay together as long as they fit.
  EXPECT_THAT(trace_on_avx2("c2d:ci=1024,co=512,h=112,w=112,k=3,p=1"), HasSubstr("h.0, i.0, "));
}

// Rows of a product end where they end, and tensors lie as networks have them.
TEST(DefaultRule, KeepsProductsInOrder) {
  const std::string product = trace_on_avx2("gmm:m=128,n=768,k=768,b_const=1");
  EXPECT_THAT(product, HasSubstr("layout X:\nlayout W: split(axis=k, factor=16) "));
  EXPECT_THAT(product, HasSubstr("layout Y:\n"));
  EXPECT_THAT(product, HasSubstr("split(loop=m, factor=6, tail=cut)"));
  EXPECT_THAT(trace_on_avx2("gmm:m=128,n=768,k=3072,b_const=1"),
              HasSubstr("reorder(n.0, k.0, m.0, "));
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

std::optional<Algorithm> algorithm_on_gpu(std::string_view spec) {
  Target target = testing::opencl_with_images();
  target.compute_units = 132;
  target.max_work_group_size = 1024;
  target.local_memory_bytes = 48 << 10;
  target.vector_registers = 63;
  return testing::space_of(spec, target).default_trace().algorithm;
}

// An H200 takes 351 us for the first and 231 for the second; the direct sums took 1863 and 589.
// Where channels are few, transforms take longer than they save.
TEST(DefaultRule, OfADeviceTakesWinogradWhereItsKernelsArePromisedToTakeLess) {
  const std::optional<Algorithm> f2 = algorithm::Winograd{2};
  EXPECT_EQ(algorithm_on_gpu("c3d:ci=512,co=512,depth=16,h=7,w=7,k=3,p=1"), f2);
  EXPECT_EQ(algorithm_on_gpu("c3d:ci=256,co=256,depth=16,h=14,w=14,k=3,p=1"), f2);
  EXPECT_EQ(algorithm_on_gpu("c2d:n=16,ci=256,co=256,h=14,w=14,k=3,p=1"), f2);
  EXPECT_EQ(algorithm_on_gpu("c2d:ci=256,co=256,h=14,w=14,k=3,p=1"), std::nullopt);
  EXPECT_EQ(algorithm_on_gpu("grp:ci=256,co=256,h=14,w=14,k=3,p=1,g=4"), std::nullopt);
}

}  // namespace
}  // namespace dovetail
