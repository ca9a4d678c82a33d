// SPDX-License-Identifier: Apache-2.0
#pragma once

// plan_stages: the computations that an algorithm makes of a region, before layouts and loops.
//
//   plan_stages(region, {})                         c2d
//   plan_stages(region, algorithm::Winograd{2})     W.wino (once), X.wino, Y.wino, c2d
//   plan_stages(region, algorithm::WinogradInnerProduct{4, 1})     W.pairs (once), X.pairs, c2d
//   plan_stages(region, algorithm::SplitFactors{3})     W.split (once), X.split, c2d
//
// Only the region's anchor is computed by an algorithm; its other computations stay as they are.

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/operator/computation.h"
#include "core/ir/region/region.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

struct MultipliedConstant {
  std::string tensor;
  int64_t times = 1;
};

struct PlannedStage {
  std::string name;  // its output tensor; the operator's kind for an operator itself
  Computation computation;
  bool prepares = false;  // at build time
  bool inner = false;     // only other stages read its output
  std::optional<PairedSum> pairs = {};
  // A constant that this stage and others of its algorithm read multiplied by a power of two.
  std::optional<MultipliedConstant> multiplied = {};
};

// In execution order.
Result<std::vector<PlannedStage>> plan_stages(const Region& region,
                                              const std::optional<Algorithm>& algorithm);

}  // namespace dovetail
