// SPDX-License-Identifier: Apache-2.0
#pragma once

// CostModel: scores programs before they are measured, and learns from what was measured.
//
//   const std::vector<double> scores = model.predict(inputs);   // larger is better
//   ...measure the best few...
//   model.update(samples);
//
// A score only orders candidates of one task: it has no unit and is not comparable between tasks or
// between two states of a model. It is not a time, because ranking models predict none, and a tuner
// that needs only an order cannot come to depend on more. A failed candidate is a sample without
// seconds, so that a model may learn what fails.
//
// Deterministic: the same options and the same samples in the same order give the same scores.

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

// ModelInput: a candidate as a cost model sees it: its program, or features that were extracted
// from it before.
//
//   features_of({.program = &program}, target)    extracted now
//   features_of({.known = &known}, target)        as they were kept
//
// Stored features serve comparisons of strategies, which score the points of one measured space
// hundreds of times. All features are some megabytes; the programs would be a gigabyte, and
// lowering them again takes a hundred times as long as predicting.
struct KnownFeatures {
  FeatureVector features;
  double estimated_seconds = 0;  // by the analytic model (features/cost_estimate.h)
};

// One of the two is set, and must outlive the input. `known` takes precedence.
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
  // Start of a learning model (costmodel/saved_model.h), or null. It must outlive the model.
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
  // The samples that a learning model has kept (a long campaign's are thinned), as rows that a
  // saved model is trained on.
  virtual TrainingRows learnt() const { return {}; }
};

// Table of the cost models, by name. A new model needs one line in cost_models.cc.
//
//   make_cost_model("roofline", {.target = target})    // a model
//   make_cost_model("oracle", {})
//       // error: unknown cost model 'oracle'; expected one of: none, random, roofline, xgboost
struct CostModelEntry {
  std::string_view name;
  std::string_view meaning;  // one sentence
  bool learns = false;       // what it learnt can be saved, and warm-start a later model
  Result<std::unique_ptr<CostModel>> (*make)(const CostModelOptions& options);
};

Result<std::unique_ptr<CostModel>> make_xgboost_cost_model(const CostModelOptions& options);

std::span<const CostModelEntry> cost_models();
// Null for an unknown name.
const CostModelEntry* find_cost_model(std::string_view name);

// Fails for an unknown name, for a model that this build lacks, and for a warm start of a model
// that does not learn.
Result<std::unique_ptr<CostModel>> make_cost_model(std::string_view name,
                                                   const CostModelOptions& options);

}  // namespace dovetail
