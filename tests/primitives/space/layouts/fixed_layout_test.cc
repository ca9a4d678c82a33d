// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/layouts/fixed_layout.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/odd_specs.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::cpu;
using testing::lowered;
using testing::operator_of;

constexpr FixedLayout kLayouts[] = {FixedLayout::nohw, FixedLayout::nhwo, FixedLayout::hwon,
                                    FixedLayout::nohw16o};

// "X[...] as ..." of a buffer of the default trace.
std::string layout_of(const char* spec, FixedLayout layout, const char* buffer) {
  const Operator op = operator_of(spec);
  const Space space = *build_space(op, cpu(), layout);
  const Program program = *lowered(op, space.default_trace(), cpu());
  const std::string text = print(buffer_named(program, buffer).layout, buffer);
  return text.substr(text.find(" as ") + 4);
}

constexpr const char* kFixedConvolution = "c2d:n=16,ci=32,co=64,h=18,w=34,k=3";

TEST(FixedLayout, ChannelsFirst) {
  EXPECT_EQ(layout_of(kFixedConvolution, FixedLayout::nohw, "X"),
            "[n@1:16] [i@1:32] [h@1:18] [w@1:34]");
  EXPECT_EQ(layout_of(kFixedConvolution, FixedLayout::nohw, "W"),
            "[o@1:64] [i@1:32] [kh@1:3] [kw@1:3]");
  EXPECT_EQ(layout_of(kFixedConvolution, FixedLayout::nohw, "Y"),
            "[n@1:16] [o@1:64] [h@1:16] [w@1:32]");
}

TEST(FixedLayout, ChannelsLast) {
  EXPECT_EQ(layout_of(kFixedConvolution, FixedLayout::nhwo, "X"),
            "[n@1:16] [h@1:18] [w@1:34] [i@1:32]");
  EXPECT_EQ(layout_of(kFixedConvolution, FixedLayout::nhwo, "W"),
            "[kh@1:3] [kw@1:3] [i@1:32] [o@1:64]");
  EXPECT_EQ(layout_of(kFixedConvolution, FixedLayout::nhwo, "Y"),
            "[n@1:16] [h@1:16] [w@1:32] [o@1:64]");
}

TEST(FixedLayout, BatchLast) {
  EXPECT_EQ(layout_of(kFixedConvolution, FixedLayout::hwon, "X"),
            "[h@1:18] [w@1:34] [i@1:32] [n@1:16]");
  EXPECT_EQ(layout_of(kFixedConvolution, FixedLayout::hwon, "Y"),
            "[h@1:16] [w@1:32] [o@1:64] [n@1:16]");
}

TEST(FixedLayout, BlockedChannels) {
  EXPECT_EQ(layout_of(kFixedConvolution, FixedLayout::nohw16o, "X"),
            "[n@1:16] [i@16:2 =i.0] [h@1:18] [w@1:34] [i@1:16 =i.1]");
  EXPECT_EQ(layout_of(kFixedConvolution, FixedLayout::nohw16o, "W"),
            "[o@16:4 =o.0] [i@16:2 =i.0] [kh@1:3] [kw@1:3] [i@1:16 =i.1] [o@1:16 =o.1]");
  EXPECT_EQ(layout_of(kFixedConvolution, FixedLayout::nohw16o, "Y"),
            "[n@1:16] [o@16:4 =o.0] [h@1:16] [w@1:32] [o@1:16 =o.1]");
}

TEST(FixedLayout, OfAMatrixProductIsRowMajorOrBlocked) {
  const char* spec = "gmm:m=12,n=32,k=48";
  EXPECT_EQ(layout_of(spec, FixedLayout::nohw, "X"), "[b@1:1] [m@1:12] [k@1:48]");
  EXPECT_EQ(layout_of(spec, FixedLayout::nohw, "W"), "[b@1:1] [k@1:48] [n@1:32]");
  EXPECT_EQ(layout_of(spec, FixedLayout::nohw16o, "X"),
            "[b@1:1] [k@16:3 =k.0] [m@1:12] [k@1:16 =k.1]");
}

TEST(FixedLayout, KeepsAGroupsChannelsTogetherAndInVectors) {
  const char* spec = "grp:n=2,ci=64,co=128,h=18,w=34,k=3,g=2";
  EXPECT_EQ(layout_of(spec, FixedLayout::nhwo, "X"), "[n@1:2] [g@1:2] [h@1:18] [w@1:34] [i@1:32]");
  EXPECT_EQ(layout_of(spec, FixedLayout::nhwo, "Y"), "[n@1:2] [g@1:2] [h@1:16] [w@1:32] [o@1:64]");
  EXPECT_EQ(layout_of(spec, FixedLayout::nohw16o, "Y"),
            "[n@1:2] [g@1:2] [o@16:4 =o.0] [h@1:16] [w@1:32] [o@1:16 =o.1]");
}

TEST(FixedLayout, HasNoVectorsWhereTheContiguousAxisHasNone) {
  const Space space =
      *build_space(operator_of("c2d:ci=8,co=32,h=9,w=9,k=3,s=2"), cpu(), FixedLayout::nohw);
  EXPECT_EQ(print(space.default_trace()).find("vectorize"), std::string::npos);
}

// The layouts of the activations' own buffers: padded copies are loops' choices.
std::string caller_layouts(const Program& program) {
  std::string text;
  for (const Buffer& buffer : program.buffers) {
    if (buffer.role == BufferRole::activation) text += print(buffer.layout, buffer.name) + "\n";
  }
  return text;
}

TEST(FixedLayout, IsTheSameAtEveryPointAndEveryPointIsRight) {
  std::mt19937_64 rng(3);
  for (const char* spec : testing::kOddSpecs) {
    const Operator op = operator_of(spec);
    if (op.kind == OperatorKind::custom) continue;
    for (const FixedLayout layout : kLayouts) {
      const Result<Space> space = build_space(op, cpu(4, 16), layout);
      ASSERT_TRUE(space) << space.error().message;
      const Program first = *lowered(op, space->default_trace(), cpu(4, 16));
      for (int i = 0; i < 3; ++i) {
        const Trace trace = space->decode(space->sample(rng));
        const Result<Program> program = lowered(op, trace, cpu(4, 16));
        ASSERT_TRUE(program) << program.error().message << "\n" << spec << "\n" << print(trace);
        EXPECT_EQ(caller_layouts(*program), caller_layouts(first)) << spec << print(layout);
        EXPECT_TRUE(testing::computes(op, trace, *program)) << spec << "\n" << print(trace);
      }
    }
  }
}

Target zen(const char* llvm_cpu) {
  Target target = cpu(16, 32);
  target.llvm_cpu = llvm_cpu;
  return target;
}

// Checks random points of the space with all algorithms; returns the algorithms that were met.
std::set<std::string> algorithms_in(FixedLayout layout, const char* spec, const Target& target) {
  std::mt19937_64 rng(5);
  std::set<std::string> met;
  const Operator op = operator_of(spec);
  const Space direct = testing::right(build_space(op, target, layout));
  const std::string wanted = caller_layouts(*lowered(op, direct.default_trace(), target));
  const Space space = testing::right(
      build_space(op, target, layout, RowAxes::merged, InLayout::any_algorithm), spec);
  for (int i = 0; i < 24; ++i) {
    const Trace trace = space.decode(space.sample(rng));
    const Result<Program> program = lowered(op, trace, target);
    EXPECT_TRUE(program) << program.error().message << "\n" << spec << "\n" << print(trace);
    if (!program) continue;
    EXPECT_EQ(caller_layouts(*program), wanted) << spec << print(layout) << print(trace);
    EXPECT_TRUE(testing::computes(op, trace, *program)) << spec << "\n" << print(trace);
    met.insert(std::string(algorithm_of(trace)));
  }
  return met;
}

TEST(FixedLayout, IsKeptByEveryAlgorithm) {
  using Names = std::set<std::string>;
  const Names direct = {"direct"}, pairs = {"direct", "winograd_inner_product"};
  const Names all = {"direct", "winograd", "winograd_inner_product"};
  const char* convolution = "c2d:ci=64,co=32,h=8,w=8,k=3,p=1";
  const char* product = "gmm:b=2,m=16,n=48,k=64";
  for (const char* llvm_cpu : {"znver4", "znver5"}) {
    const Target target = zen(llvm_cpu);
    for (const FixedLayout layout : {FixedLayout::nhwo, FixedLayout::hwon})
      EXPECT_EQ(algorithms_in(layout, convolution, target), all) << print(layout);
    EXPECT_EQ(algorithms_in(FixedLayout::nohw, convolution, target), direct)
        << "channels in planes";
    for (const FixedLayout layout : {FixedLayout::nohw, FixedLayout::nhwo, FixedLayout::hwon})
      EXPECT_EQ(algorithms_in(layout, product, target), pairs) << print(layout);
    EXPECT_EQ(algorithms_in(FixedLayout::nohw16o, product, target), pairs);
  }
  EXPECT_EQ(algorithms_in(FixedLayout::nohw16o, convolution, zen("znver4")), all);
  // Groups of three vectors of eight: no whole blocks.
  EXPECT_EQ(algorithms_in(FixedLayout::nohw16o, "c2d:ci=48,co=32,h=8,w=8,k=1", zen("znver5")),
            pairs);
  EXPECT_EQ(algorithms_in(FixedLayout::nohw16o, "c2d:ci=24,co=32,h=8,w=8,k=1", zen("znver5")),
            direct);
}

TEST(FixedLayout, HasNoMeaningForAWrittenSum) {
  const Operator op = operator_of("Y[n,o]+=X[n,i]*W[i,o]:n=4,o=8,i=16");
  EXPECT_ERROR(build_space(op, cpu(), FixedLayout::nhwo),
               "layout nhwo has no meaning for a written region");
}

TEST(FixedLayout, SurvivesPrinting) {
  for (const FixedLayout layout : kLayouts) EXPECT_EQ(*parse_fixed_layout(print(layout)), layout);
  EXPECT_ERROR(parse_fixed_layout("nchw"),
               "unknown layout 'nchw'; expected one of: nohw, nhwo, hwon, nohw16o");
}

}  // namespace
}  // namespace dovetail
