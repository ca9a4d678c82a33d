// SPDX-License-Identifier: Apache-2.0
#include "costmodel/model_input.h"

#include "core/base/check.h"
#include "costmodel/features/cost_estimate.h"

namespace dovetail {

KnownFeatures know(const Program& program, const Target& target) {
  return {.features = extract_features(program, target),
          .estimated_seconds = estimated_seconds(program, target)};
}

FeatureVector features_of(const ModelInput& input, const Target& target) {
  if (input.known != nullptr) return input.known->features;
  CHECK(input.program != nullptr, "a model is shown nothing of a candidate");
  return extract_features(*input.program, target);
}

std::vector<double> estimated_speeds_of(std::span<const ModelInput> inputs, const Target& target) {
  std::vector<double> speeds;
  for (const ModelInput& input : inputs) {
    const KnownFeatures* const known = input.known;
    CHECK(known != nullptr || input.program != nullptr, "a model is shown nothing of a candidate");
    speeds.push_back(1 / (known != nullptr ? known->estimated_seconds
                                           : estimated_seconds(*input.program, target)));
  }
  return speeds;
}

}  // namespace dovetail
