// SPDX-License-Identifier: Apache-2.0
#include "search/compare/statistics/distributions.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <limits>

namespace dovetail {

double normal_cdf(double z) { return boost::math::cdf(boost::math::normal(), z); }

double normal_quantile(double probability) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (probability <= 0) return -kInfinity;
  if (probability >= 1) return kInfinity;
  return boost::math::quantile(boost::math::normal(), probability);
}

double chi_squared_tail(double value, int degrees_of_freedom) {
  return boost::math::cdf(
      boost::math::complement(boost::math::chi_squared(degrees_of_freedom), value));
}

}  // namespace dovetail
