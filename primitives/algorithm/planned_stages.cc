// SPDX-License-Identifier: Apache-2.0
#include "primitives/algorithm/planned_stages.h"

#include "primitives/algorithm/winograd.h"

namespace dovetail {

Result<std::vector<PlannedStage>> plan_stages(const Operator& op,
                                              const std::optional<algorithm::Winograd>& algorithm) {
  PlannedStage own{std::string(name_of(op.kind)), TRY(define(op))};
  if (algorithm) return winograd_stages(*algorithm, own);
  return std::vector<PlannedStage>{std::move(own)};
}

}  // namespace dovetail
