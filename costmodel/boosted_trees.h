// SPDX-License-Identifier: Apache-2.0
#pragma once

// BoostedTrees: gradient-boosted regression trees: features in, one number out. XGBoost behind its
// C interface; the one file that sees it is boosted_trees.cc.
//
//   const BoostedTrees trees = TRY(BoostedTrees::train(rows, {.rounds = 40}));
//   trees.predict(rows.features) one number a row
//   trees.bytes()                what BoostedTrees::from_bytes reads
//
// One thread, histograms of few bins: for the few thousand rows of a campaign, more threads only
// wait for each other (10 to 100 times slower when a core is busy). Same rows, labels and seed give
// the same trees.

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
  // Succeeds when this build has XGBoost; the error says how to get it.
  static Result<void> available();
  // `prior`: trees to go on from; null: none.
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
