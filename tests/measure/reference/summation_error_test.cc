// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/bounded_number.h"

#include <gtest/gtest.h>

#include <random>

namespace dovetail {
namespace {

// The worst order: one after the other, all of one sign.
double error_of_a_running_sum(int terms, std::mt19937& rng) {
  std::uniform_real_distribution<float> number(0.5F, 1.5F);
  float sum = 0;
  double exact = 0;
  for (int i = 0; i < terms; ++i) {
    const float term = number(rng);
    sum += term;
    exact += term;
  }
  return std::abs(sum - exact) / exact;
}

TEST(SummationError, HoldsForLongSumsOfOneSign) {
  std::mt19937 rng(1);
  for (const int terms : {2, 30, 768, 4096, 20000}) {
    for (int repeat = 0; repeat < 100; ++repeat)
      EXPECT_LE(error_of_a_running_sum(terms, rng), summation_error(terms)) << terms;
  }
}

TEST(SummationError, SeesADroppedTerm) {
  for (const int terms : {2, 30, 768, 4096, 20000}) EXPECT_LT(summation_error(terms), 0.5 / terms);
}

}  // namespace
}  // namespace dovetail
