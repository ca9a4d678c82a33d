// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/known/known_region.h"

#include <gtest/gtest.h>

#include <map>

#include "core/ir/graph/suite.h"
#include "core/ir/region/region_text.h"
#include "core/ir/region/task_spec.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

Result<KnownRegion> known(const std::string& text) { return known_region(TRY(parse_region(text))); }

// As campaigns have it, with canonical names.
Result<KnownRegion> known_canonically(const std::string& text) {
  return known_region(TRY(parse_task_spec(text)).region);
}

template <typename Form>
void expect_known(const std::string& text, const Form& form) {
  const Result<KnownRegion> found = known(text);
  ASSERT_TRUE(found.has_value()) << text << ": " << found.error().message;
  ASSERT_TRUE(std::holds_alternative<Form>(*found)) << text << " is a " << name_of(*found);
  EXPECT_EQ(std::get<Form>(*found), form) << text;
  const Result<KnownRegion> canonical = known_canonically(text);
  ASSERT_TRUE(canonical.has_value()) << text;
  EXPECT_EQ(canonical->index(), found->index()) << text;
}

void expect_unknown(const std::string& text) {
  ASSERT_TRUE(parse_region(text).has_value()) << text << parse_region(text).error().message;
  EXPECT_ERROR(known(text), "a region that no library has under a name");
  EXPECT_FALSE(known_canonically(text).has_value()) << text;
}

using Function = ElementwiseFunction;
Elementwise one_function(Function::Kind kind, double alpha = 0, double beta = 0) {
  return {.input = {"A", {768}}, .steps = {Function{kind, alpha, beta}}};
}

TEST(KnownRegion, AnOperatorIsItself) {
  expect_known("gmm:m=8,n=8,k=8", *parse_operator("gmm:m=8,n=8,k=8"));
}

TEST(KnownRegion, MaxPoolingWithPadding) {
  const PooledAxis axis{.extent = 112, .window = 3, .stride = 2, .before = 1, .outputs = 56};
  expect_known(
      "Y[a0,a1,a2,a3]max=A[a0,a1,2*a2+1*r0-1,2*a3+1*r1-1]:"
      "a0=2,a1=64,a2=56,a3=56,r0=3,r1=3,A=2x64x112x112",
      Pooling{.kind = Pooling::Kind::max, .input = "A", .n = 2, .c = 64, .axes = {axis, axis}});
}

TEST(KnownRegion, AveragePoolingOfOneImageInThreeDimensions) {
  const PooledAxis axis{.extent = 8, .window = 2, .stride = 2, .outputs = 4};
  expect_known("Y[c,d,h,w]=sum(X[c,2*d+q,2*h+r,2*w+s])/8:c=16,d=4,h=4,w=4,q=2,r=2,s=2",
               Pooling{.kind = Pooling::Kind::average,
                       .input = "X",
                       .n = 1,
                       .c = 16,
                       .axes = {axis, axis, axis}});
}

TEST(KnownRegion, PaddingOfAnotherValueIsNoPooling) {
  expect_unknown("Y[c,h] max= outside(X[c,2*h+r-1],0):c=4,h=8,r=3,X=4x16");
  expect_unknown("Y[c,h] = sum(outside(X[c,2*h+r-1],1))/3:c=4,h=8,r=3,X=4x16");
}

TEST(KnownRegion, AWindowDividedByAnotherNumberIsNoAverage) {
  expect_unknown("Y[c,h]=sum(X[c,2*h+r])/3:c=4,h=8,r=2");
  expect_unknown("Y[c,h] min= X[c,2*h+r]:c=4,h=8,r=2");
  expect_unknown("Y[c,h] max= X[c,2*h+r]:c=4,h=4,r=2,X=4x16");  // libraries would make eight
}

TEST(KnownRegion, GlobalAveragePoolingIsAMean) {
  const Reduction mean{
      .kind = Reduction::Kind::mean, .input = "A", .shape = {16, 512, 7, 7}, .axes = {2, 3}};
  expect_known("Y[a0,a1,a2,a3]=sum(A[a0,a1,r2,r3])/49:a0=16,a1=512,a2=1,a3=1,r2=7,r3=7", mean);
  const PooledAxis axis{.extent = 7, .window = 7};
  const Pooling pooling{
      .kind = Pooling::Kind::average, .input = "A", .n = 16, .c = 512, .axes = {axis, axis}};
  EXPECT_EQ(global_pooling(mean), (GlobalPooling{pooling, false}));
}

TEST(KnownRegion, AMeanOfRowsIsAPoolingWithChannelsLast) {
  const Reduction mean{
      .kind = Reduction::Kind::mean, .input = "A", .shape = {2, 128, 768}, .axes = {1}};
  const Pooling pooling{.kind = Pooling::Kind::average,
                        .input = "A",
                        .n = 2,
                        .c = 768,
                        .axes = {{.extent = 128, .window = 128}}};
  EXPECT_EQ(global_pooling(mean), (GlobalPooling{pooling, true}));
}

TEST(KnownRegion, ASumAndAxesApartAreNoPooling) {
  using enum Reduction::Kind;
  EXPECT_FALSE(global_pooling({.kind = sum, .input = "A", .shape = {4, 8}, .axes = {1}}));
  EXPECT_FALSE(global_pooling({.kind = max, .input = "A", .shape = {4, 8, 3}, .axes = {0, 2}}));
  EXPECT_FALSE(global_pooling({.kind = max, .input = "A", .shape = {4, 8}, .axes = {0, 1}}));
}

TEST(KnownRegion, ReductionsOverAnyAxes) {
  using enum Reduction::Kind;
  expect_known("Y[j]+=X[i,j]:i=8,j=16",
               Reduction{.kind = sum, .input = "X", .shape = {8, 16}, .axes = {0}});
  expect_known("Y[i,k] max= X[i,j,k]:i=8,j=16,k=4",
               Reduction{.kind = max, .input = "X", .shape = {8, 16, 4}, .axes = {1}});
  expect_known("Y[j] min= X[i,j,k]:i=8,j=16,k=4",
               Reduction{.kind = min, .input = "X", .shape = {8, 16, 4}, .axes = {0, 2}});
}

TEST(KnownRegion, ReductionsOfSomethingElseAreNone) {
  expect_unknown("Y[j]*=X[i,j]:i=8,j=16");
  expect_unknown("Y[j]=sum(abs(X[i,j])):i=8,j=16");
  expect_unknown("Y[k,i]+=X[i,j,k]:i=8,j=16,k=4");  // turned around, too
  expect_unknown("Y[i]+=X[i,2*j]:i=8,j=16");
}

TEST(KnownRegion, SoftmaxOfTheLastAxis) {
  expect_known(
      "M[i]max=S[i,j];E[i,j]=exp(S[i,j]-M[i]);D[i]+=E[i,j];Y[i,j]=E[i,j]/D[i]:i=1536,j=128",
      Softmax{.input = "S", .shape = {1536, 128}});
  expect_known(
      "M[a0,a1,z]max=A[a0,a1,a2];E[a0,a1,a2]=exp(A[a0,a1,a2]-M[a0,a1,0]);D[a0,a1,z]+=E[a0,a1,a2];"
      "Y[a0,a1,a2]=E[a0,a1,a2]/D[a0,a1,0]:a0=12,a1=16,a2=128,z=1",
      Softmax{.input = "A", .shape = {192, 128}});
}

TEST(KnownRegion, SoftmaxOfAnAxisInTheMiddle) {
  expect_known(
      "M[i,k]max=S[i,j,k];D[i,k]+=exp(S[i,j,k]-M[i,k]);Y[i,j,k]=exp(S[i,j,k]-M[i,k])/D[i,k]:"
      "i=4,j=16,k=9",
      Softmax{.input = "S", .shape = {4, 16, 9}});
  expect_known(
      "M[i,z,k]max=S[i,j,k];E[i,j,k]=exp(S[i,j,k]-M[i,0,k]);D[i,z,k]+=E[i,j,k];"
      "Y[i,j,k]=S[i,j,k]-M[i,0,k]-log(D[i,0,k]):i=4,j=16,k=9,z=1",
      Softmax{.input = "S", .shape = {4, 16, 9}, .logarithm = true});
}

TEST(KnownRegion, WhatIsNearASoftmaxIsNone) {
  expect_unknown("E[i,j]=exp(S[i,j]);D[i]+=E[i,j];Y[i,j]=E[i,j]/D[i]:i=16,j=8");
  expect_unknown("M[i]min=S[i,j];E[i,j]=exp(S[i,j]-M[i]);D[i]+=E[i,j];Y[i,j]=E[i,j]/D[i]:i=16,j=8");
  expect_unknown(
      "M[i]max=S[i,j];E[i,j]=exp(S[i,j]-M[i]);D[j]+=E[i,j];Y[i,j]=E[i,j]/D[j]:i=16,j=16");
}

TEST(KnownRegion, LayerNormalization) {
  expect_known(
      "M[a0,z]=sum(A[a0,a1])/768;V[a0,z]=sum((A[a0,a1]-M[a0,0])*(A[a0,a1]-M[a0,0]))/768;"
      "Y[a0,a1]=(A[a0,a1]-M[a0,0])*rsqrt(V[a0,0]+1e-12)*B[a1]+C[a1]:a0=128,a1=768,z=1",
      LayerNorm{
          .input = "A", .scale = "B", .shift = "C", .rows = 128, .length = 768, .epsilon = 1e-12});
  expect_known(
      "M[i]=sum(X[i,j])/8;R[i]=rsqrt(sum((X[i,j]-M[i])*(X[i,j]-M[i]))/8+0.5);"
      "Y[i,j]=(X[i,j]-M[i])*R[i]*G[j]:i=4,j=8,const=G",
      LayerNorm{.input = "X", .scale = "G", .shift = {}, .rows = 4, .length = 8, .epsilon = 0.5});
}

TEST(KnownRegion, AnAxisOfOneMayBeReadAsZero) {
  expect_known(
      "M[a0,a1,z]=sum(A[0,a1,a2])/8;V[a0,a1,z]=sum((A[0,a1,a2]-M[a0,a1,0])*(A[0,a1,a2]-M[a0,a1,0]))"
      "/8;Y[a0,a1,a2]=(A[0,a1,a2]-M[a0,a1,0])*rsqrt(V[a0,a1,0]+1e-12)*B[a2]:a0=1,a1=4,a2=8,z=1",
      LayerNorm{.input = "A", .scale = "B", .shift = {}, .rows = 4, .length = 8, .epsilon = 1e-12});
  expect_known(
      "Y[a0,a1]=A[0,a1]+B[0,a1]:a0=1,a1=8",
      Elementwise{.input = {"A", {8}}, .steps = {ElementwiseStep{BinaryOp::add, {"B", {8}}}}});
}

TEST(KnownRegion, WhatIsNearALayerNormalizationIsNone) {
  expect_unknown(
      "M[i]=sum(X[i,j])/8;V[i]=sum((X[i,j]-M[i])*(X[i,j]-M[i]))/7;"
      "Y[i,j]=(X[i,j]-M[i])*rsqrt(V[i]+0.5):i=4,j=8");
}

TEST(KnownRegion, BatchNormalization) {
  expect_known(
      "Y[a0,a1,a2,a3]=(A[a0,a1,a2,a3]-D[a1])*rsqrt(E[a1]+1e-05)*B[a1]+C[a1]:"
      "a0=2,a1=64,a2=5,a3=6",
      BatchNorm{.input = "A",
                .mean = "D",
                .variance = "E",
                .scale = "B",
                .shift = "C",
                .n = 2,
                .c = 64,
                .pixels = 30,
                .epsilon = 1e-05});
}

TEST(KnownRegion, ElementwiseFunctions) {
  using enum Function::Kind;
  const std::pair<const char*, Elementwise> kCases[] = {
      {"relu(A[i])", one_function(relu)},
      {"max(A[i],0)", one_function(relu)},
      {"min(max(A[i],0),6)", one_function(clip, 0, 6)},
      {"clip(A[i],-1,2)", one_function(clip, -1, 2)},
      {"gelu(A[i])", one_function(gelu)},
      {"sigmoid(A[i])", one_function(sigmoid)},
      {"A[i]*sigmoid(A[i])", one_function(silu)},
      {"A[i]*clip(A[i]/6+0.5,0,1)", one_function(hardswish)},
      {"tanh(A[i])", one_function(tanh)},
      {"exp(A[i])", one_function(exp)},
      {"select(A[i]<0,0.01*A[i],A[i])", one_function(leaky_relu, 0.01)},
      {"A[i]*2+3", one_function(linear, 2, 3)},
      {"A[i]/8", one_function(linear, 0.125, 0)},
  };
  for (const auto& [value, form] : kCases)
    expect_known(std::string("Y[i]=") + value + ":i=768", form);
}

TEST(KnownRegion, AChainOfSteps) {
  expect_known("Y[n,c,h]=max(A[n,c,h]+B[n,c,h],0):n=2,c=4,h=9",
               Elementwise{.input = {"A", {72}},
                           .steps = {ElementwiseStep{BinaryOp::add, {"B", {72}}},
                                     Function{Function::Kind::relu}}});
}

TEST(KnownRegion, OperandsAreRepeatedAsNumpyDoes) {
  expect_known("Y[a0,a1,a2,a3]=A[a0,a1,a2,a3]+B[0,a1,0,0]:a0=2,a1=4,a2=3,a3=5",
               Elementwise{.input = {"A", {2, 4, 15}},
                           .steps = {ElementwiseStep{BinaryOp::add, {"B", {1, 4, 1}}}}});
  expect_known("Y[i,j,k]=A[i,j,k]*B[k]:i=12,j=16,k=128",
               Elementwise{.input = {"A", {192, 128}},
                           .steps = {ElementwiseStep{BinaryOp::mul, {"B", {1, 128}}}}});
  expect_known("Y[i,j]=B[j]+A[i,j]:i=12,j=16",
               Elementwise{.input = {"A", {12, 16}},
                           .steps = {ElementwiseStep{BinaryOp::add, {"B", {1, 16}}}}});
}

TEST(KnownRegion, WhatIsNoChainIsUnknown) {
  expect_unknown("Y[i]=A[i]/(1+B[i]*B[i]):i=8");
  expect_unknown("Y[i,j]=A[i]+B[j]:i=8,j=4");
  expect_unknown("Y[i,j]=A[i,j]+B[j,i]:i=8,j=8");
  expect_unknown("Y[i]=A[i]+A[i+1]:i=8");
  expect_unknown("Y[i]=1-A[i]/B[i]:i=8");
}

TEST(KnownRegion, Permutations) {
  expect_known("Y[a0,a1,a2]=A[a1,a0,a2]:a0=12,a1=128,a2=64",
               Permutation{.input = "A", .shape = {128, 12, 64}, .order = {1, 0, 2}});
  expect_known("Y[i,j]=A[i,j]:i=12,j=128",
               Permutation{.input = "A", .shape = {12, 128}, .order = {0, 1}});
  expect_unknown("Y[i,j]=A[j]:i=12,j=128");
  expect_unknown("Y[i,j]=A[j,i]:i=12,j=100,A=128x12");
}

TEST(KnownRegion, AllOfTheSuiteIsKnown) {
  const Suite suite =
      *read_suite((testing::source_dir() / "scripts/suites/streams24.txt").string());
  EXPECT_EQ(suite.size(), 24);
  std::map<std::string, int> forms;
  for (const SuiteEntry& entry : suite) {
    const Result<KnownRegion> found = known_region(entry.spec.region);
    ASSERT_TRUE(found.has_value()) << entry.name << ": " << found.error().message;
    ++forms[name_of(*found)];
  }
  const std::map<std::string, int> expected = {{"pooling", 2},           {"reduction", 4},
                                               {"softmax", 3},           {"layer norm", 3},
                                               {"elementwise chain", 8}, {"permutation", 4}};
  EXPECT_EQ(forms, expected);
}

TEST(KnownRegion, OtherTypesAreRefused) {
  EXPECT_ERROR(known("Y[i]=A[i]*2:i=8,A=f16"), "only f32 is compared");
}

}  // namespace
}  // namespace dovetail
