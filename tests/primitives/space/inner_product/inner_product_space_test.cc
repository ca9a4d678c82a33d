// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/inner_product/inner_product_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/restricted.h"
#include "tests/primitives/lowered.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::operator_of;
using testing::space_of;

Target zen(int lanes = 16, int registers = 32) {
  Target target = testing::cpu(lanes, registers);
  target.llvm_cpu = "znver4";
  return target;
}

Target zen_5() {
  Target target = zen();
  target.llvm_cpu = "znver5";
  return target;
}

bool offers_inner_product(const Space& space) {
  const Parameter& first = space.parameters()[0];
  return first.kind == ParameterKind::algorithm &&
         std::ranges::count(first.labels, "winograd_inner_product") > 0;
}

TEST(InnerProductSpace, IsThereWhereAdditionsRunBesideProducts) {
  EXPECT_TRUE(offers_inner_product(space_of("c2d:ci=64,co=64,h=14,w=14,k=1", zen())));
  EXPECT_FALSE(offers_inner_product(space_of("c2d:ci=64,co=64,h=14,w=14,k=1", testing::cpu())));
  EXPECT_FALSE(offers_inner_product(space_of("c2d:ci=64,co=64,h=14,w=14,k=1", zen(8, 16))))
      << "AVX2";
  EXPECT_FALSE(offers_inner_product(space_of("dep:c=64,h=14,w=14,k=3,p=1", zen())))
      << "no such sum";
  EXPECT_FALSE(offers_inner_product(space_of("c2d:ci=6,co=64,h=14,w=14,k=1", zen()))) << "no fours";
}

TEST(InnerProductSpace, IsTheDefaultWhereItPays) {
  const auto algorithm = [](const char* spec) {
    return algorithm_of(space_of(spec, zen()).default_trace());
  };
  EXPECT_EQ(algorithm("c2d:ci=64,co=384,h=14,w=14,k=1+bias"), "winograd_inner_product");
  EXPECT_EQ(algorithm("gmm:m=128,n=768,k=768+bias"), "winograd_inner_product");
  EXPECT_EQ(algorithm("c2d:ci=64,co=16,h=14,w=14,k=1"), "direct") << "few columns";
  EXPECT_EQ(algorithm("gmm:m=1,n=1000,k=1280+bias"), "direct") << "one row";
  EXPECT_EQ(
      algorithm_of(allowed_only(space_of("gmm:m=128,n=768,k=768+bias", zen()), definition_only)
                       .default_trace()),
      "direct");
}

TEST(InnerProductSpace, SumsOfXRunOverVectors) {
  const Trace trace = space_of("c2d:ci=64,co=384,h=14,w=14,k=1+bias", zen()).default_trace();
  EXPECT_EQ(print(*trace.algorithm), "winograd_inner_product(of=4, apart=8, scale=8, signs=2)");
  EXPECT_NE(print(trace).find("loops X.pairs: vectorize(i.lane) ; "
                              "cache_write(tensor=X.pairs, at=w) ; parallel(h)\n"),
            std::string::npos)
      << print(trace);
}

TEST(InnerProductSpace, ValuesAreSharedByVectorsWhereLoadsSpreadThem) {
  const Trace product = space_of("gmm:m=128,n=768,k=768+bias", zen_5()).default_trace();
  EXPECT_EQ(print(*product.algorithm), "winograd_inner_product(of=3, apart=16, scale=16, signs=2)");
  EXPECT_NE(print(product).find("layout X:\n"), std::string::npos) << print(product);
  EXPECT_NE(print(product).find("split(loop=m, factor=8) ; split(loop=n, factor=32)"),
            std::string::npos)
      << print(product);
  const Trace fours = space_of("c2d:ci=64,co=384,h=14,w=14,k=1", zen_5()).default_trace();
  EXPECT_EQ(print(*fours.algorithm), "winograd_inner_product(of=4, apart=8, scale=8, signs=2)")
      << "no threes";
}

TEST(InnerProductSpace, WeightsAreScaledByTheNumberOfTerms) {
  const auto scale = [](const char* spec) {
    return std::get<algorithm::WinogradInnerProduct>(
               *space_of(spec, zen_5()).default_trace().algorithm)
        .scale;
  };
  EXPECT_EQ(scale("gmm:m=64,n=64,k=32"), 4);
  EXPECT_EQ(scale("gmm:m=64,n=64,k=3072"), 32);
  EXPECT_EQ(scale("gmm:m=64,n=64,k=65536"), 32) << "sums of small integers stay exact";
  EXPECT_EQ(scale("c2d:ci=64,co=64,h=14,w=14,k=5,p=2"), 32) << "all 1600 terms";
}

TEST(InnerProductSpace, ChannelsOfAnImageAreOneGroup) {
  const Trace trace =
      space_of("c2d:ci=3,co=64,h=224,w=224,k=7,s=2,p=3+bias+relu", zen()).default_trace();
  EXPECT_EQ(print(*trace.algorithm), "winograd_inner_product(of=3, scale=8)");
  for (const char* lines :
       {"layout X: pad(axis=h, before=3, after=2) pad(axis=w, before=3, after=2)\n",
        "loops X.pairs: split(loop=w, factor=16) ; reorder(w.0, kh, kw, w.1) ; vectorize(w.1) ; "
        "cache_write(tensor=X.pairs, at=w.0) ; parallel(h)\n"})
    EXPECT_NE(print(trace).find(lines), std::string::npos) << print(trace);
  const auto algorithm = [](const char* spec) {
    return algorithm_of(space_of(spec, zen()).default_trace());
  };
  EXPECT_EQ(algorithm("c2d:ci=3,co=64,h=230,w=230,k=7,s=3"), "direct") << "windows are far apart";
  EXPECT_EQ(algorithm("c2d:ci=3,co=64,h=30,w=23,k=5"), "direct") << "a row has 19 windows";
  EXPECT_EQ(algorithm("c2d:ci=3,co=64,h=32,w=32,k=3"), "direct") << "few terms";
}

TEST(InnerProductSpace, DefaultsAreLegalAndRight) {
  for (const char* spec :
       {"c2d:ci=3,co=32,h=21,w=21,k=5,s=2+bias+relu", "c2d:n=2,ci=3,co=48,h=12,w=16,k=5,p=2+bias",
        "c3d:ci=3,co=32,depth=4,h=12,w=12,k=3x5x5,s=1x2x2,p=1x2x2",
        "c2d:ci=96,co=48,h=5,w=7,k=1+bias+relu", "gmm:m=9,n=64,k=48+bias",
        "c2d:n=2,ci=32,co=64,h=3,w=3,k=1+add"}) {
    for (const Target& target : {zen(), zen_5()}) {
      const Operator op = operator_of(spec);
      const Trace trace = space_of(spec, target).default_trace();
      EXPECT_EQ(algorithm_of(trace), "winograd_inner_product") << spec;
      const auto program = testing::lowered(op, trace, target);
      ASSERT_TRUE(program) << spec << "\n" << print(trace) << program.error().message;
      EXPECT_TRUE(computes(op, trace, *program)) << spec << "\n" << print(trace);
    }
  }
}

TEST(InnerProductSpace, EveryPointIsLegalAndRight) {
  std::mt19937_64 rng(7);
  for (const char* spec :
       {"c2d:ci=16,co=32,h=5,w=7,k=1+bias+relu", "gmm:m=6,n=32,k=24+bias",
        "c2d:ci=3,co=32,h=16,w=16,k=3,s=2,p=1+bias", "c2d:ci=4,co=16,h=6,w=8,k=3,p=1",
        "c2d:ci=8,co=8,h=6,w=6,k=3,s=2,p=1+bias", "c2d:n=2,ci=48,co=20,h=4,w=4,k=1+add"}) {
    const Space space = space_of(spec, zen(4));
    ASSERT_TRUE(offers_inner_product(space)) << spec;
    const Operator op = operator_of(spec);
    int checked = 0;
    for (int i = 0; i < 200 && checked < 12; ++i) {
      const Trace trace = space.decode(space.sample(rng));
      if (algorithm_of(trace) != "winograd_inner_product") continue;
      ++checked;
      EXPECT_TRUE(testing::survives_printing(trace));
      const auto program = testing::lowered(op, trace, zen(4));
      ASSERT_TRUE(program) << spec << "\n" << print(trace) << program.error().message;
      EXPECT_TRUE(computes(op, trace, *program)) << spec << "\n" << print(trace);
    }
    EXPECT_EQ(checked, 12) << spec;
  }
}

TEST(InnerProductSpace, EveryPointLowers) {
  std::mt19937_64 rng(11);
  for (const char* spec :
       {"gmm:m=1,n=1,k=8", "gmm:m=64,n=64,k=64", "c2d:ci=16,co=32,h=14,w=14,k=3,p=1",
        "gmm:m=33,n=70,k=96+bias", "c2d:ci=144,co=24,h=56,w=56,k=1+bias+add",
        "c2d:ci=64,co=128,h=15,w=15,k=3,s=2,p=1"}) {
    const Space space = space_of(spec, zen());
    for (int i = 0; i < 150; ++i) {
      const Trace trace = space.decode(space.sample(rng));
      if (algorithm_of(trace) != "winograd_inner_product") continue;
      const auto program = testing::lowered(operator_of(spec), trace, zen());
      ASSERT_TRUE(program) << spec << "\n" << print(trace) << program.error().message;
    }
  }
}

}  // namespace
}  // namespace dovetail
