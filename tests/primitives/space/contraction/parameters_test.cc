// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/contraction/contraction_plan.h"

#include <gtest/gtest.h>

#include "primitives/space/choices.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/points.h"

namespace dovetail {
namespace {

using testing::cpu;
using testing::NamedValues;
using testing::operator_of;
using Sizes = std::vector<int64_t>;

std::shared_ptr<const ContractionPlan> shared_plan(std::string_view spec,
                                                   const Target& target = cpu()) {
  return std::make_shared<const ContractionPlan>(
      ContractionPlan{.facts = *derive_facts(define(operator_of(spec)), target)});
}

TEST(RegisterSizes, AreWholeVectorsOfTheVectorAxis) {
  EXPECT_EQ(register_sizes(*shared_plan("gmm:m=4,n=64,k=4"), "n"), (Sizes{16, 32, 64}));
  EXPECT_EQ(register_sizes(*shared_plan("gmm:m=4,n=64,k=4", cpu(8, 16)), "n"),
            (Sizes{8, 16, 24, 32}));
  EXPECT_EQ(register_sizes(*shared_plan("gmm:m=4,n=3,k=4"), "n"), (Sizes{4}));
}

TEST(RegisterSizes, OfRowsWasteAtMostAQuarter) {
  EXPECT_EQ(register_sizes(*shared_plan("gmm:m=7,n=64,k=4"), "m"), (Sizes{1, 2, 4, 7}));
  EXPECT_EQ(register_sizes(*shared_plan("gmm:m=56,n=64,k=4"), "m"),
            (Sizes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}));
  EXPECT_EQ(register_sizes(*shared_plan("gmm:m=17,n=64,k=4"), "m"),
            (Sizes{1, 2, 3, 4, 5, 6, 7, 9, 10}));
}

// Domain of a parameter after choices for those before it.
Sizes domain_of(const std::string& name, const std::vector<Parameter>& parameters,
                const NamedValues& choices) {
  Point earlier;
  for (const Parameter& parameter : parameters) {
    const Sizes domain = parameter.domain(earlier);
    if (parameter.name == name) return domain;
    const auto it = choices.find(parameter.name);
    earlier.push_back(it == choices.end() ? domain.front() : it->second);
  }
  return {};
}

TEST(Parameters, RegisterTilesShareTheRegisters) {
  const auto parameters = derive_parameters(shared_plan("gmm:m=56,n=64,k=4"), cpu());
  EXPECT_EQ(domain_of("register_tile.m", parameters, {{"register_tile.n", 64}}),
            (Sizes{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(domain_of("register_tile.m", parameters, {{"register_tile.n", 16}}).back(), 14);
}

TEST(Parameters, UnrolledCodeIsLimited) {
  const auto parameters =
      derive_parameters(shared_plan("c2d:ci=64,co=64,h=56,w=56,k=3,p=1"), cpu());
  EXPECT_EQ(
      domain_of("unroll_part.i", parameters, {{"register_tile.o", 32}, {"register_tile.w", 14}}),
      (Sizes{1, 2, 4, 8}));
  EXPECT_EQ(domain_of("unroll.kw", parameters,
                      {{"register_tile.o", 32}, {"register_tile.w", 14}, {"unroll_part.i", 8}}),
            (Sizes{0}));
  EXPECT_EQ(domain_of("unroll.kw", parameters, {{"register_tile.o", 32}, {"register_tile.w", 14}}),
            (Sizes{0, 1}));
}

TEST(Parameters, CacheTilesDivideTheRegisterTiles) {
  const auto parameters = derive_parameters(shared_plan("gmm:m=24,n=64,k=4"), cpu());
  EXPECT_EQ(domain_of("cache_tile.m", parameters, {{"register_tile.m", 2}}),
            (Sizes{1, 2, 3, 4, 6, 12}));
  EXPECT_EQ(domain_of("cache_tile.m", parameters, {{"register_tile.m", 5}}), (Sizes{1, 5}));
}

TEST(Parameters, WorkItemsFitAGroup) {
  Target small = testing::opencl_with_images();
  small.max_work_group_size = 6;
  const auto parameters = derive_parameters(shared_plan("gmm:m=24,n=64,k=4", small), small);
  EXPECT_EQ(domain_of("cache_tile.m", parameters, {}), (Sizes{1, 2, 3, 4, 6}));
  EXPECT_EQ(domain_of("cache_tile.n", parameters, {{"cache_tile.m", 3}}), (Sizes{1, 2}));
}

TEST(Parameters, GuardsAreOfferedWhereWindowsLeaveTheTensor) {
  const auto storage = [](const char* spec, const NamedValues& choices) {
    return domain_of("storage.X.w", derive_parameters(shared_plan(spec), cpu()), choices);
  };
  EXPECT_EQ(storage("c1d:ci=4,co=16,w=16,k=3", {}), (Sizes{kPad}));
  EXPECT_EQ(storage("c1d:ci=4,co=16,w=16,k=3,p=1", {}), (Sizes{kPad, kGuard}));
  EXPECT_EQ(storage("c1d:ci=4,co=16,w=16,k=3,p=1", {{"register_tile.w", 4}, {"cache_tile.w", 2}}),
            (Sizes{kPad, kUnfoldTile, kUnfoldCache, kGuard}));
}

TEST(Parameters, ImagesAreOfferedForTexels) {
  const Target gpu = testing::opencl_with_images();
  const auto parameters = derive_parameters(shared_plan("gmm:m=8,n=8,k=8", gpu), gpu);
  EXPECT_EQ(domain_of("scope.X", parameters, {{"layout_tile.X.k", 4}}), (Sizes{0, 1, 2, 3}));
  EXPECT_EQ(domain_of("scope.X", parameters, {{"layout_tile.X.k", 0}}), (Sizes{0}));
}

}  // namespace
}  // namespace dovetail
