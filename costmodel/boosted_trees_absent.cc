// SPDX-License-Identifier: Apache-2.0
//
// Stub of BoostedTrees for builds without XGBoost (DOVETAIL_XGBOOST=OFF): available() and both ways
// to make trees return an error that tells so.
#include "core/base/check.h"
#include "costmodel/boosted_trees.h"

namespace dovetail {
namespace {

constexpr const char* kAbsent =
    "cost model xgboost is not in this build; configure with -DDOVETAIL_XGBOOST=ON";

}  // namespace

struct BoostedTrees::Handle {};

Result<void> BoostedTrees::available() { return fail(kAbsent); }

Result<BoostedTrees> BoostedTrees::train(const TrainingRows&, const BoostingOptions&,
                                         const BoostedTrees*) {
  return fail(kAbsent);
}
Result<BoostedTrees> BoostedTrees::from_bytes(std::string_view) { return fail(kAbsent); }

std::vector<double> BoostedTrees::predict(std::span<const FeatureVector>) const {
  CHECK(false, kAbsent);
  return {};
}
std::string BoostedTrees::bytes() const { return {}; }

}  // namespace dovetail
