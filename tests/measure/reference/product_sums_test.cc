// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/product_sums.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "core/ir/region/region_text.h"
#include "measure/reference/region_reference.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

constexpr SumBound kSums = {.has_random_signs = true};

// The definition: the terms of each sum one after the other.
std::vector<BoundedNumber> term_by_term(const ElementEvaluator& evaluator) {
  std::vector<BoundedNumber> all;
  const std::vector<Axis>& axes = evaluator.computation().axes;
  ElementPoint at = evaluator.first_point();
  SumOfTerms sum(kSums);
  const std::function<void(size_t)> walk = [&](size_t a) {
    if (a == axes.size()) {
      sum.add(evaluator.value(evaluator.element(), at).real);
      return;
    }
    const bool begins = axes[a].reduction && (a == 0 || !axes[a - 1].reduction);
    if (begins) sum = SumOfTerms(kSums);
    for (at.variables[a] = 0; at.variables[a] < axes[a].extent; ++at.variables[a]) walk(a + 1);
    at.variables[a] = 0;
    if (begins) all.push_back(sum.total());
  };
  walk(0);
  return all;
}

bool near(double found, double expected, double size) {
  return std::abs(found - expected) <= 1e-12 * size + 1e-40;
}

bool same_sums(const ElementEvaluator& evaluator, const ProductSums& sums) {
  const std::vector<BoundedNumber> expected = term_by_term(evaluator);
  for (size_t k = 0; k < expected.size(); ++k) {
    const std::optional<BoundedNumber> found = sums.real(k, kSums);
    if (!found || !near(found->value, expected[k].value, sums.magnitudes[k]) ||
        !near(found->error, expected[k].error, sums.magnitudes[k]))
      return false;
  }
  return expected.size() == sums.values.size();
}

// The last computation of a region sums products; the tensors before it have errors.
class LastSum {
 public:
  explicit LastSum(const std::string& spec, uint64_t seed = 0)
      : LastSum(right(parse_region(spec), spec), NamedArrays(), seed) {}
  LastSum(const std::string& spec, NamedArrays inputs)
      : LastSum(right(parse_region(spec), spec), std::move(inputs), 0) {}

  const ElementEvaluator& evaluator() const { return evaluator_; }
  std::optional<ProductSums> sums() const { return product_sums(evaluator_); }

 private:
  LastSum(Region region, NamedArrays inputs, uint64_t seed)
      : region_(std::move(region)),
        inputs_(inputs.empty() ? make_region_inputs(region_, seed) : std::move(inputs)),
        made_(evaluate_region(region_, inputs_)),
        evaluator_(region_.computations.back().computation, inputs_, made_) {}

  Region region_;
  NamedArrays inputs_;
  RegionValues made_;
  ElementEvaluator evaluator_;
};

void expect_term_by_term(const std::string& spec) {
  SCOPED_TRACE(spec);
  const LastSum last(spec);
  const std::optional<ProductSums> sums = last.sums();
  ASSERT_TRUE(sums.has_value());
  EXPECT_TRUE(same_sums(last.evaluator(), *sums));
}

TEST(ProductSums, AreThoseOfTheTerms) {
  expect_term_by_term("Y[m,n]+=X[m,k]*W[n,k]:m=5,n=7,k=67,X=f16,W=f16");
  expect_term_by_term(
      "Y[n,o,h,w]+=X[n,i,2*h+r-1,w+s-1]*W[o,i,r,s]:n=2,o=4,h=3,w=6,i=3,r=3,s=3,"
      "X=2x3x5x6xf16");
  expect_term_by_term("Y[c,h]=relu(sum(X[c,h+r-1]*W[c,r])):c=4,h=9,r=3,X=4x9xf16");
}

TEST(ProductSums, TakeFactorsOfAnyForm) {
  expect_term_by_term("Y[m,n]+=exp(X[m,k])*(real(W[n,k])*S[n]):m=3,n=4,k=20,W=i8");
  expect_term_by_term("Y[h,w]+=X[h/2,(w+k)%3]*W[h,k]:h=6,w=4,k=5,X=f16");
}

TEST(ProductSums, TakeOverTheErrorsOfBothFactors) {
  expect_term_by_term("P[i,k]=exp(X[i,k]);Q[k,j]=X[j,k]*3;Y[i,j]+=P[i,k]*Q[k,j]:i=6,j=6,k=5");
}

TEST(ProductSums, AreNotMadeWhereNothingIsShared) {
  EXPECT_FALSE(LastSum("Y[i]+=X[i,k]*W[i,k]:i=3,k=4,X=f16").sums());
  EXPECT_FALSE(LastSum("Y[i]+=X[i,k]:i=3,k=4,X=f16").sums());
  EXPECT_FALSE(LastSum("Y[i,j]max=X[i,k]*W[k,j]:i=3,j=2,k=4").sums());
}

TEST(ProductSums, LeaveSpecialNumbersToTheirTerms) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const LastSum last("Y[i,j]=relu(sum(X[i,k]*W[k,j])):i=4,j=1,k=2",
                     {{"X", {inf, 1, 1, nan, 3e38F, 3e38F, 1, 2}}, {"W", {0.5F, 1}}});
  const std::optional<ProductSums> sums = last.sums();
  ASSERT_TRUE(sums.has_value());
  for (size_t k = 0; k < 3; ++k) EXPECT_FALSE(sums->real(k, kSums)) << k;
  EXPECT_EQ(sums->real(3, kSums)->value, 2.5);
}

TEST(ProductSums, LeaveLargeIntegersToTheirTerms) {
  const int64_t large = int64_t{1} << 40;
  const LastSum last(
      "Y[i,j]+=X[i,k]*W[k,j]:i=2,j=1,k=2,X=2x2xi64,W=2x1xi64,Y=i64",
      {{"X", std::vector<int64_t>{large, 1, 3, 4}}, {"W", std::vector<int64_t>{large, 1}}});
  const std::optional<ProductSums> sums = last.sums();
  ASSERT_TRUE(sums.has_value());
  EXPECT_FALSE(sums->whole(0));
  EXPECT_EQ(sums->whole(1)->value, 3 * large + 4);
}

RC_GTEST_PROP(ProductSums, AreThoseOfTheTermsOfAnyShape, (uint64_t seed)) {
  const auto extent = [] { return std::to_string(*rc::gen::inRange(1, 9)); };
  const std::string spec =
      "P[b,m,k]=exp(X[b,m,k]);Y[b,m,n]+=P[b,m+r-1,k]*W[b,n,k,r]:b=" + extent() +
      ",m=9,n=" + extent() + ",k=" + extent() + ",r=" + extent();
  const LastSum last(spec, seed);
  const std::optional<ProductSums> sums = last.sums();
  RC_ASSERT(sums.has_value());
  RC_ASSERT(same_sums(last.evaluator(), *sums));
}

}  // namespace
}  // namespace dovetail
