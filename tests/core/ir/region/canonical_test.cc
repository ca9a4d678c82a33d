// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/canonical.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>

#include "core/ir/region/region_text.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

std::string key(const std::string& spec) { return print(right(parse_task_spec(spec), spec)); }

TEST(Canonical, NamesTensorsAndAxesByTheirOrder) {
  EXPECT_EQ(key("M[i]max=S[i,j];E[i,j]=exp(S[i,j]-M[i]);D[i]+=E[i,j];Y[i,j]=E[i,j]/D[i]:"
                "i=128,j=64"),
            "B[a]max=A[a,b];C[a,b]=exp(A[a,b]-B[a]);D[a]+=C[a,b];E[a,b]=C[a,b]/D[a]:a=128,b=64");
}

TEST(Canonical, DoesNotDependOnNamesOrOnTheOrderOfParts) {
  const std::string once = key("P[i]=sum(A[i,j]);Q[i]max=A[i,j];Y[i]=P[i]*Q[i]+B[i]:i=8,j=4");
  EXPECT_EQ(once, key("T[z]max=V[z,x];S[z]=sum(V[z,x]);U[z]=W[z]+T[z]*S[z]:z=8,x=4"));
  EXPECT_NE(once, key("P[i]=sum(A[i,j]);Q[i]min=A[i,j];Y[i]=P[i]*Q[i]+B[i]:i=8,j=4"));
}

TEST(Canonical, OrdersDimensionsOfInnerTensorsOnly) {
  EXPECT_EQ(key("T[j,i]=exp(A[i,j]);Y[i,j]=T[j,i]+1:i=8,j=4"),
            key("T[i,j]=exp(A[i,j]);Y[i,j]=T[i,j]+1:i=8,j=4"));
  EXPECT_NE(key("T[i,j]=exp(A[j,i]);Y[i,j]=T[i,j]+1:i=8,j=4"),
            key("T[i,j]=exp(A[i,j]);Y[i,j]=T[i,j]+1:i=8,j=4"));
}

TEST(Canonical, TellsWhichOfTwoEqualInputsHasTheBorder) {
  const std::string sum = "Y[i,j]=A[i,j]+B[i,j]:i=8,j=4";
  EXPECT_EQ(key(sum + " | A as row_major"), key(sum + " | B as row_major"));
  EXPECT_NE(key(sum + " | A as row_major"), key(sum));
  const std::string difference = "Y[i,j]=A[i,j]-B[i,j]:i=8,j=4";
  EXPECT_NE(key(difference + " | A as row_major"), key(difference + " | B as row_major"));
}

TEST(Canonical, KeepsOperatorsAsTheirKindsSpellThem) {
  EXPECT_EQ(key("c2d:ci=8,co=8,h=5,w=6,k=3"), "c2d:ci=8,co=8,h=5,w=6,k=3");
  EXPECT_EQ(key("Y[i,j]=sum(P[i,k]*Q[k,j]):i=4,j=6,k=8"),
            "Y[i,j]+=X[i,k]*W[k,j]:i=4,j=6,k=8,b_const=0");
  EXPECT_EQ(key("Y[i,j]=sum(P[i,k]*Q[k,j]):i=4,j=6,k=8,const=Q"),
            "Y[i,j]+=X[i,k]*W[k,j]:i=4,j=6,k=8");
}

TEST(Canonical, GivesTheNamesThatItReplaced) {
  const CanonicalTask task =
      canonical(right(parse_region("Y[i]=sum(P[i,j]-Q[i]):i=8,j=4,const=Q")));
  EXPECT_EQ(print(task.spec), "C[a]+=A[a,b]-B[a]:a=8,b=4,const=B");
  EXPECT_EQ(task.names.at("P"), "A");
  EXPECT_EQ(task.names.at("Q"), "B");
  EXPECT_EQ(task.names.at("Y"), "C");
}

TEST(Canonical, KnowsIndicesThatDataChoose) {
  EXPECT_EQ(key("Y[n,c]=T[clamp(I[n],0,6),c]:n=5,c=4,I=5xi64"),
            key("Z[p,q]=V[clamp(J[p],0,6),q]:p=5,q=4,J=5xi64"));
  EXPECT_NE(key("Y[n,c]=T[clamp(I[n],0,6),c]:n=5,c=4,I=5xi64"),
            key("Y[n,c]=T[clamp(I[n],0,5),c]:n=5,c=4,I=5xi64"));
}

TEST(Canonical, EndsWhereManyInputsAreAlike) {
  const std::string many = key("Y[i]=A[i]+B[i]+C[i]+D[i]+E[i]+F[i]+G[i]+H[i]:i=8");
  EXPECT_EQ(key(many), many);
}

// A region of random parts, written twice with other names, other orders of parts and of operands.
class Scrambled {
 public:
  explicit Scrambled(uint64_t seed) : rng_(seed) {
    parts_ = 1 + draw(4);
    for (size_t k = 0; k < parts_; ++k) steps_.push_back({draw(5), draw(k + 2), draw(k + 2)});
  }

  std::string text(bool scrambled) {
    std::vector<std::string> tensors = {"A", "B", "C", "D", "E", "F"}, axes = {"i", "j"};
    if (scrambled) std::ranges::shuffle(tensors, rng_), std::swap(axes[0], axes[1]);
    const auto use = [&](size_t t) { return tensors[t] + "[" + axes[0] + "," + axes[1] + "]"; };
    std::string text;
    for (size_t k = 0; k < parts_; ++k) {
      std::string left = use(steps_[k].left), right = use(steps_[k].right);
      if (scrambled && steps_[k].what < 3 && draw(2) == 1) std::swap(left, right);
      text += (k > 0 ? ";" : "") + use(k + 2) + "=" + value(steps_[k].what, left, right);
    }
    return text + ":" + axes[0] + "=8," + axes[1] + "=4";
  }

 private:
  struct Step {
    size_t what, left, right;
  };
  size_t draw(size_t count) { return rng_() % count; }
  static std::string value(size_t what, const std::string& left, const std::string& right) {
    if (what == 0) return left + "+" + right;
    if (what == 1) return "max(" + left + "," + right + ")";
    if (what == 2) return left + "*" + right;
    return what == 3 ? left + "-" + right : "exp(" + left + ")/" + right;
  }

  std::mt19937_64 rng_;
  size_t parts_ = 1;
  std::vector<Step> steps_;
};

RC_GTEST_PROP(Canonical, IsOneForScrambledRegionsAndParsesToItself, (uint64_t seed)) {
  Scrambled region(seed);
  const std::string plain = region.text(false);
  const std::string own = key(plain);
  RC_ASSERT(key(region.text(true)) == own);
  RC_ASSERT(key(own) == own);
}

}  // namespace
}  // namespace dovetail
