// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/tensor_cores/warp_product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/ir/region/task_spec.h"
#include "primitives/space/space.h"
#include "tests/primitives/region_runs.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail::testing {
namespace {

using tensor_cores::warp_product;
using tensor_cores::WarpProduct;

Target hopper() { return target_of_profile("h200_ptx.profile"); }

std::vector<std::string> algorithms_of(const char* spec, const Target& target) {
  const Space space = right(build_space(written_region(spec), target), spec);
  return space.parameters().front().labels;
}

std::optional<WarpProduct> product_of(const std::string& spec) {
  return warp_product(right(parse_task_spec(spec), spec).region, hopper());
}

TEST(WarpProduct, HasTheOutputsInnermostAxisAsColumns) {
  const auto product = product_of("Y[b,m,n]+=X[b,m,k]*W[k,n]:b=3,m=32,n=24,k=48,X=f16,W=f16");
  ASSERT_TRUE(product);
  EXPECT_EQ(product->columns.base.name, product->output_dims.back().axis);
  EXPECT_EQ(product->rows.base.extent, 32);
  EXPECT_EQ(product->rows.step.extent, 32);
  EXPECT_EQ(product->columns.base.extent, 24);
  EXPECT_EQ(product->reduction.extent, 48);
  EXPECT_EQ(product->rows.axes.size(), 2U) << "columns do not have b";
  EXPECT_TRUE(product->outer.empty());
  EXPECT_EQ(product->type, ElementType::f16);
}

TEST(WarpProduct, IsNoneOfOtherRegions) {
  for (const char* spec : {"Y[m,n]+=X[m,k]*W[n,k]:m=32,n=32,k=32",               // floats
                           "Y[m,n]+=X[m,k]*W[n,k]:m=32,n=32,k=32,X=f16,W=bf16",  // two types
                           "Y[m,n]+=X[m,k]*W[n,k]:m=4,n=32,k=32,X=f16,W=f16",    // few rows
                           "Y[m,n]+=X[m,k]*W[n,k]:m=32,n=32,k=40,X=f16,W=f16",   // half a block
                           "Y[m]+=X[m,k]*W[k]:m=32,k=32,X=f16,W=f16",            // no columns
                           "Y[m,n]+=X[m+k]*W[n,k]:m=32,n=32,k=32,X=f16,W=f16",   // windows alone
                           "dep:c=32,h=14,w=14,k=3,p=1,dtype=f16"})              // no reduction
    EXPECT_FALSE(product_of(spec)) << spec;
}

// Base and step of the rows, and the columns'.
std::string axes_of(const std::string& spec) {
  const auto product = product_of(spec);
  if (!product) return "none";
  return product->rows.base.name + " " + product->rows.step.name + " " + product->columns.base.name;
}

TEST(WarpProduct, HasRowsOfImagesOrOfNeighboursInAnImage) {
  EXPECT_EQ(axes_of("c2d:n=16,ci=64,co=64,h=14,w=14,k=3,p=1,dtype=f16"), "n w o");
  EXPECT_EQ(axes_of("c2d:n=16,ci=64,co=64,h=56,w=56,k=3,s=2,p=1,dtype=f16"), "n w o");
  EXPECT_EQ(axes_of("c2d:n=1,ci=64,co=64,h=14,w=14,k=3,p=1,dtype=f16"), "w h o");
  EXPECT_EQ(axes_of("c2d:n=1,ci=64,co=64,h=28,w=28,k=3,s=2,p=1,dtype=f16"), "w h o");
  EXPECT_EQ(axes_of("c2d:n=1,ci=64,co=64,h=27,w=28,k=3,s=2,p=1,dtype=f16"), "w h o");
  EXPECT_EQ(axes_of("c2d:n=1,ci=64,co=64,h=28,w=27,k=3,s=2,p=1,dtype=f16"), "h w o")
      << "27 have no whole phases";
  EXPECT_EQ(axes_of("c1d:n=1,ci=64,co=64,w=64,k=3,p=1,dtype=f16"), "w w o");
  EXPECT_EQ(axes_of("c1d:n=1,ci=64,co=64,w=64,k=1,dtype=f16"), "w w o");
  EXPECT_EQ(axes_of("c2d:n=1,ci=64,co=64,h=56,w=56,k=1,dtype=f16"), "w h o");
  EXPECT_EQ(axes_of("c3d:n=16,ci=64,co=64,depth=16,h=14,w=14,k=3,p=1,dtype=f16"), "n d o")
      << "sixteen of 14 would be computed";
  EXPECT_EQ(axes_of("t2d:n=16,ci=64,co=64,h=8,w=8,k=4,s=2,p=1,dtype=f16"), "n w.0 o")
      << "a phase's";
}

TEST(WarpProduct, PadsAReductionThatWindowsShare) {
  const auto product = product_of("c2d:n=16,ci=3,co=64,h=28,w=28,k=3,p=1,dtype=f16");
  ASSERT_TRUE(product);
  EXPECT_EQ(padded_reduction(*product), 16);
  EXPECT_EQ(stored_name(*product, product->rows), "X.pad");
  EXPECT_EQ(stored_name(*product, product->columns), "W") << "constants are stored with zeros";
}

TEST(TensorCores, StandBesideTheDirectSumWhereTheProcessorHasThem) {
  const char* spec = "Y[m,n]+=X[m,k]*W[n,k]:m=128,n=64,k=64,X=f16,W=f16";
  EXPECT_EQ(algorithms_of(spec, hopper()), (std::vector<std::string>{"direct", "wgmma", "mma"}));
  Target ampere = hopper();
  ampere.llvm_cpu = "sm_80";
  EXPECT_EQ(algorithms_of(spec, ampere), (std::vector<std::string>{"direct", "mma"}));
  for (const Target& target : {target_of_profile("h200.profile"), opencl_with_images()})
    EXPECT_TRUE(algorithms_of(spec, target).empty()) << "the first parameter has no names";
}

// Two rounds at least, and tiles of every kind.
constexpr const char* kProducts[] = {
    "Y[m,n]+=X[m,k]*W[n,k]:m=128,n=64,k=64,X=f16,W=f16",
    "Y[m,n]+=X[m,k]*W[k,n]:m=32,n=128,k=32,X=bf16,W=bf16,Y=bf16",
    "Y[a,b,m,n]+=X[a,m,b,k]*W[a,n,b,k]:a=2,b=3,m=32,n=24,k=16,X=f16,W=f16",
    "T[m,n]+=X[m,k]*W[n,k];Y[m,n]=max(T[m,n]+B[n],0):m=64,n=64,k=32,X=f16,W=f16",
    "Y[m,n]+=X[m,k]*W[n,k]:m=40,n=20,k=32,X=f16,W=f16",
    "c2d:n=8,ci=32,co=24,h=3,w=9,k=3,s=1,p=1,dtype=f16+bias+relu",
    "c2d:n=16,ci=3,co=16,h=5,w=9,k=3,s=2,p=1,dtype=f16",
    "c2d:n=1,ci=16,co=16,h=9,w=10,k=3,s=2,p=1,dtype=bf16",
    "t2d:n=8,ci=16,co=16,h=2,w=4,k=4,s=2,p=1,dtype=f16",
};

TEST(TensorCores, EveryPointIsATraceOfTheProduct) {
  const Target target = hopper();
  std::mt19937_64 rng(48);
  for (const char* spec : kProducts) {
    const KeyedTask task = right(parse_task_spec(spec), spec);
    const Region& region = task.region;
    const Space space = right(build_space(task, target), spec);
    int of_tensor_cores = 0;
    for (int i = 0; i < 16; ++i) {
      const Trace trace = space.decode(i == 0 ? space.default_point() : space.sample(rng));
      if (print(trace).find("tensorize") == std::string::npos) continue;
      ++of_tensor_cores;
      const Program program = right(lowered(region, trace, target), print(trace));
      EXPECT_TRUE(verify(program)) << verify(program).error().message << print(trace);
      if (of_tensor_cores > 1) continue;
      EXPECT_TRUE(computes(region, program)) << print(trace);
    }
    EXPECT_GE(of_tensor_cores, 2) << spec;
    EXPECT_NE(print(space.default_trace()).find("tensorize"), std::string::npos) << spec;
  }
}

TEST(TensorCores, DefaultTilesGiveEachUnitAGroupWhereTheyCan) {
  const Target target = hopper();
  const auto trace_of = [&](const char* spec) {
    return print(right(build_space(written_region(spec), target), spec).default_trace());
  };
  const std::string large = trace_of("Y[m,n]+=X[m,k]*W[n,k]:m=4096,n=4096,k=4096,X=f16,W=f16");
  EXPECT_NE(large.find("wgmma.m64n256k16_f16"), std::string::npos) << large;
  EXPECT_NE(large.find("copies=5, behind=1"), std::string::npos) << large;
  EXPECT_NE(large.find("split(axis=k, factor=32) split(axis=k.1, factor=8)"), std::string::npos)
      << "what a round copies lies together: " << large;
  EXPECT_NE(large.find("group.2"), std::string::npos) << "bands: " << large;
  const std::string small = trace_of("Y[m,n]+=X[m,k]*W[n,k]:m=512,n=512,k=512,X=f16,W=f16");
  EXPECT_NE(small.find("wgmma.m64n32k16_f16"), std::string::npos) << small;
  EXPECT_NE(small.find("layout Y: split(axis=m, factor=8) split(axis=n, factor=8)"),
            std::string::npos)
      << "as instructions read it: " << small;
  const std::string few = trace_of("c2d:n=1,ci=512,co=512,h=7,w=7,k=3,p=1,dtype=f16");
  EXPECT_NE(few.find("rfactor"), std::string::npos) << "of one row of tiles: " << few;
}

}  // namespace
}  // namespace dovetail::testing
