// SPDX-License-Identifier: Apache-2.0
#pragma once

// CostModel: scores programs before they are measured, and learns from what was measured.
//
//   const std::vector<double> scores = model.predict(programs);   // larger is better
//   ...measure the best few...
//   model.update(samples);
//
// A score only orders candidates of one task: it has no unit and is not comparable between tasks or
// between two states of a model. Why not predicted seconds: ranking models do not have them, and a
// tuner that needs only an order cannot come to depend on more. A failed candidate is a sample
// without seconds, so that a model may learn what fails.

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/ir/program.h"

namespace dovetail {

struct CostSample {
  const Program* program = nullptr;
  std::optional<double> seconds;  // none: the candidate failed
};

class CostModel {
 public:
  virtual ~CostModel() = default;
  // One score per program, in order.
  virtual std::vector<double> predict(std::span<const Program* const> programs) = 0;
  virtual void update(std::span<const CostSample> samples) = 0;
};

}  // namespace dovetail
