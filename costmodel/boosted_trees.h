// SPDX-License-Identifier: Apache-2.0
#pragma once

// BoostedTrees: gradient-boosted regression trees, which predict one number from features. XGBoost
// behind its C interface, which only boosted_trees.cc includes.
//
//   const BoostedTrees trees = TRY(BoostedTrees::train(rows, {.rounds = 40}));
//   trees.predict(rows.features) one number a row
//   trees.bytes()                what BoostedTrees::from_bytes reads
//
// Training uses one thread and histograms of 64 bins: for the few thousand rows of a campaign, more
// threads only wait for each other (10 to 100 times slower when a core is busy). It is
// deterministic: the same rows, labels and seed give the same trees.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "costmodel/training_rows.h"

namespace dovetail {

struct BoostingOptions {
  int rounds = 40;  // trees
  uint64_t seed = 0;
};

class BoostedTrees {
 public:
  // Fails in a build without XGBoost; the error tells how to enable it.
  static Result<void> available();
  // `prior`: trees that training continues from; null: none.
  static Result<BoostedTrees> train(const TrainingRows& rows, const BoostingOptions& options,
                                    const BoostedTrees* prior = nullptr);
  static Result<BoostedTrees> from_bytes(std::string_view bytes);

  std::vector<double> predict(std::span<const FeatureVector> rows) const;
  std::string bytes() const;

 private:
  struct Handle;
  explicit BoostedTrees(std::shared_ptr<const Handle> handle) : handle_(std::move(handle)) {}
  std::shared_ptr<const Handle> handle_;
};

}  // namespace dovetail
