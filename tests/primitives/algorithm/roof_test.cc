// SPDX-License-Identifier: Apache-2.0
#include "primitives/algorithm/roof.h"

#include <gtest/gtest.h>

#include "core/ir/region/region_text.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

// 12 KiB of operands; its multiply-adds take 1 us at the peak.
const char* const kSpec = "gmm:m=32,n=32,k=32";

Machine machine() {
  return {.peak_gflops = 65.536,
          .levels = {{.capacity_bytes = 8 << 10, .bytes_per_second = 100e9},
                     {.capacity_bytes = 16 << 10, .bytes_per_second = 12.288e9},
                     {.bytes_per_second = 6.144e9}}};
}

TEST(Roof, PercentagesAreOfThePeakAndOfTheSmallestLevelThatHoldsTheOperands) {
  const Region region = region_of(*parse_operator(kSpec));
  EXPECT_DOUBLE_EQ(percent_of_peak(machine(), region, 2e-6).value(), 50);
  EXPECT_DOUBLE_EQ(percent_of_roof(machine(), region, {}, 2e-6).value(), 50);
}

TEST(Roof, OfColdOperandsHasTheBandwidthOfMemory) {
  const Region region = region_of(*parse_operator(kSpec));
  EXPECT_DOUBLE_EQ(percent_of_roof(without_caches(machine()), region, {}, 2e-6).value(), 100);
  EXPECT_EQ(
      percent_of_roof(without_caches({.peak_gflops = 65.536, .levels = {}}), region, {}, 2e-6),
      std::nullopt);
}

// 8 KiB are read and 4 KiB written: by the levels' rates of reading in 1 us.
TEST(Roof, OfRegionsWithoutAProductHasTheRateOfTheirReadsAndWrites) {
  const Region region = right(parse_region("Y[i]=A[i]+B[i]:i=1024"));
  Machine measured = machine();
  EXPECT_DOUBLE_EQ(percent_of_roof(measured, region, {}, 4e-6).value(), 25);
  measured.streams = {{.read_bytes = 4096, .written_bytes = 8192, .bytes_per_second = 1e9},
                      {.read_bytes = 8192, .written_bytes = 4096, .bytes_per_second = 6.144e9}};
  EXPECT_DOUBLE_EQ(percent_of_roof(measured, region, {}, 4e-6).value(), 50);
  EXPECT_DOUBLE_EQ(percent_of_roof(without_caches(measured), region, {}, 4e-6).value(), 50);
  measured.levels.back().bytes_per_second = 12.288e9;
  EXPECT_DOUBLE_EQ(percent_of_roof(without_caches(measured), region, {}, 4e-6).value(), 25);
  const Region product = region_of(*parse_operator("gmm:m=32,n=32,k=32"));
  EXPECT_DOUBLE_EQ(percent_of_roof(measured, product, {}, 2e-6).value(), 50);
}

// F(4,3) multiplies 36 times for 16 outputs, the definition 144 times.
TEST(Roof, OfWinogradsAlgorithmHasARoofByItsOwnMultiplyAdds) {
  const Region region = region_of(*parse_operator("c2d:ci=64,co=64,h=56,w=56,k=3,p=1"));
  const Machine fast{.peak_gflops = 100, .levels = {{.bytes_per_second = 1e15}}};
  Trace winograd;
  winograd.algorithm = algorithm::Winograd{.tile = 4};
  const double own_seconds = 2.0 * 64 * 64 * 14 * 14 * 36 / 100e9;
  EXPECT_DOUBLE_EQ(percent_of_roof(fast, region, winograd, 2 * own_seconds).value(), 50);
}

TEST(Roof, ARegionThatOnlyMovesDataHasARateOfBytesAndNoFlops) {
  const Region region = right(parse_region("Y[i,j]=A[j,i]:i=32,j=32"));
  EXPECT_EQ(nominal_gflops(region, 1e-6), std::nullopt);
  EXPECT_EQ(percent_of_peak(machine(), region, 1e-6), std::nullopt);
  EXPECT_DOUBLE_EQ(operand_gbytes_per_second(region, 1e-6).value(), 8.192);
  EXPECT_EQ(operand_gbytes_per_second(region_of(*parse_operator(kSpec)), 1e-6), std::nullopt);
}

// As in a log of another version: the algorithm is of convolutions alone.
TEST(Roof, IsNoneForAnAlgorithmThatTheRegionDoesNotHave) {
  const Region region = region_of(*parse_operator(kSpec));
  Trace winograd;
  winograd.algorithm = algorithm::Winograd{.tile = 4};
  EXPECT_EQ(percent_of_roof(machine(), region, winograd, 1e-6), std::nullopt);
}

}  // namespace
}  // namespace dovetail
