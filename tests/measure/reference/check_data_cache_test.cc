// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/check_data.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/measure/candidates.h"

namespace dovetail {
namespace {

using testing::operator_of;

using Data = std::shared_ptr<const CheckData>;

constexpr const char* kSpec = "gmm:m=8,n=8,k=16";

// The data have one size, whatever the seed.
Data get(CheckDataCache& cache, uint64_t seed) {
  return cache.get(region_of(operator_of(kSpec)), DataKind::small_integers, seed);
}

uint64_t bytes_of_one() {
  return bytes_of(*CheckData::make(region_of(operator_of(kSpec)), DataKind::small_integers, 0));
}

TEST(CheckDataCache, CountsOperandsAndWhatIsExpected) {
  EXPECT_EQ(bytes_of_one(), 4u * (8 * 16 + 16 * 8 + 8 * 8));
  const Data real = CheckData::make(region_of(operator_of(kSpec)), DataKind::real, 0);
  EXPECT_EQ(bytes_of(*real), 4u * (8 * 16 + 16 * 8) + (8u + 4u) * (8 * 8));
}

TEST(CheckDataCache, TellsOperatorsKindsAndSeedsApart) {
  CheckDataCache cache;
  const Data data = get(cache, 0);
  EXPECT_EQ(get(cache, 0), data);
  EXPECT_NE(get(cache, 1), data);
  EXPECT_NE(cache.get(region_of(operator_of(kSpec)), DataKind::real, 0), data);
  EXPECT_NE(cache.get(region_of(operator_of("gmm:m=8,n=8,k=8")), DataKind::small_integers, 0),
            data);
}

// The operators take turns, as the tasks of a network do.
TEST(CheckDataCache, ComputesNothingAgainWhileItsBytesSuffice) {
  constexpr uint64_t kOperators = 30;
  CheckDataCache cache(kOperators * bytes_of_one());
  std::vector<Data> first;
  for (uint64_t seed = 0; seed < kOperators; ++seed) first.push_back(get(cache, seed));
  for (uint64_t seed = 0; seed < kOperators; ++seed) EXPECT_EQ(get(cache, seed), first[seed]);
  EXPECT_EQ(cache.bytes(), kOperators * bytes_of_one());
}

TEST(CheckDataCache, ForgetsWhatWasNotAskedForForTheLongestTime) {
  CheckDataCache cache(2 * bytes_of_one() + 1);
  const Data zero = get(cache, 0), one = get(cache, 1);
  EXPECT_EQ(get(cache, 0), zero);
  const Data two = get(cache, 2);
  EXPECT_EQ(cache.bytes(), 2 * bytes_of_one());
  EXPECT_EQ(get(cache, 0), zero);
  EXPECT_EQ(get(cache, 2), two);
  EXPECT_NE(get(cache, 1), one);
}

TEST(CheckDataCache, KeepsTheLastWhateverItsSize) {
  CheckDataCache cache(1);
  const Data zero = get(cache, 0);
  EXPECT_EQ(get(cache, 0), zero);
  EXPECT_NE(get(cache, 1), nullptr);
  EXPECT_EQ(cache.bytes(), bytes_of_one());
}

TEST(CheckDataCache, HasAGibibyteOrLess) {
  EXPECT_GE(CheckDataCache::default_bytes(), uint64_t{1} << 20);
  EXPECT_LE(CheckDataCache::default_bytes(), uint64_t{1} << 30);
}

}  // namespace
}  // namespace dovetail
