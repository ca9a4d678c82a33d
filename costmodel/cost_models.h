// SPDX-License-Identifier: Apache-2.0
#pragma once

// CostModel: scores programs before they are measured, and learns from what was measured.
//
//   const std::vector<double> scores = model.predict(inputs);   // larger is better
//   ...measure the best few...
//   model.update(samples);
//
// A score only orders candidates of one task: it has no unit and is not comparable between tasks or
// between two states of a model. Why not predicted seconds: ranking models do not have them, and a
// tuner that needs only an order cannot come to depend on more. A failed candidate is a sample
// without seconds, so that a model may learn what fails.
//
// The same options and the same samples in the same order give the same scores.

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/target.h"
#include "costmodel/features/features.h"
#include "costmodel/training_rows.h"

namespace dovetail {

struct SavedModel;

// ModelInput: what a cost model is shown of a candidate: its program, or what was read off that
// before.
//
//   features_of({.program = &program}, target)    extracted now
//   features_of({.known = &known}, target)        as they were kept
//
// Why two: a comparison of strategies scores the points of one measured space hundreds of times.
// Features of all of them are some megabytes; their programs would be a gigabyte, and lowering
// them again takes a hundred times as long as predicting.
struct KnownFeatures {
  FeatureVector features;
  double estimated_seconds = 0;  // by the analytic model (features/cost_estimate.h)
};

// One of the two is there; both outlive it. What is known counts.
struct ModelInput {
  const Program* program = nullptr;
  const KnownFeatures* known = nullptr;
};

KnownFeatures know(const Program& program, const Target& target);
FeatureVector features_of(const ModelInput& input, const Target& target);
// 1 / seconds by the analytic model.
std::vector<double> estimated_speeds_of(std::span<const ModelInput> inputs, const Target& target);

struct CostModelOptions {
  Target target;
  uint64_t seed = 0;
  // A learning model begins with this (costmodel/saved_model.h), if any; it must outlive it.
  const SavedModel* warm_start = nullptr;
};

struct CostSample {
  ModelInput input;
  std::optional<double> seconds;  // none: the candidate failed
};

// One CostModel serves one task.
class CostModel {
 public:
  virtual ~CostModel() = default;
  // One score per candidate, in order.
  virtual std::vector<double> predict(std::span<const ModelInput> inputs) = 0;
  virtual void update(std::span<const CostSample> samples) = 0;
  // Gives what a learning model was told so far, thinned if much: the rows that a saved model
  // is trained on.
  virtual TrainingRows learnt() const { return {}; }
};

// The cost models there are, by name. One line in cost_models.cc adds one.
//
//   make_cost_model("roofline", {.target = target})    // a model
//   make_cost_model("oracle", {})
//       // error: unknown cost model 'oracle'; expected one of: none, random, roofline, xgboost
struct CostModelEntry {
  std::string_view name;
  std::string_view meaning;  // one sentence
  bool learns = false;       // what it learnt can be saved, and begun with
  Result<std::unique_ptr<CostModel>> (*make)(const CostModelOptions& options);
};

Result<std::unique_ptr<CostModel>> make_xgboost_cost_model(const CostModelOptions& options);

std::span<const CostModelEntry> cost_models();
// Gives null when there is none of this name.
const CostModelEntry* find_cost_model(std::string_view name);

// Fails for an unknown name, for a model that this build has not, and for a warm start of a model
// that does not learn.
Result<std::unique_ptr<CostModel>> make_cost_model(std::string_view name,
                                                   const CostModelOptions& options);

}  // namespace dovetail
