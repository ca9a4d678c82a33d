// SPDX-License-Identifier: Apache-2.0
#include "search/compare/simulate/pretrained_model.h"

#include <fmt/format.h>

#include "search/strategies/points/unseen_points.h"

namespace dovetail {
namespace {

Result<TrainingRows> rows_of(const SimulatedSpace& space, const PretrainingOptions& options) {
  TrainingRows rows;
  UnseenPoints unseen(space.space(), options.seed);
  const double best = space.statistics().optimum();
  while (rows.labels.size() < options.points) {
    const std::optional<ProposedPoint> point = unseen.draw();
    if (!point) break;
    const PointResult* measured = space.measured().find(point->trace.key);
    if (measured == nullptr) continue;  // illegal
    const Candidate candidate = TRY(space.candidate(point->trace, /*with_features=*/true));
    rows.features.push_back(candidate.known->features);
    const bool ok = measured->status == Status::ok;
    rows.labels.push_back(ok ? static_cast<float>(best / measured->seconds) : 0);
  }
  return rows;
}

}  // namespace

std::string_view operator_of(std::string_view spec) { return spec.substr(0, spec.find(':')); }

Result<SavedModel> pretrained_model(std::span<const std::unique_ptr<SimulatedSpace>> spaces,
                                    std::string_view without, const PretrainingOptions& options) {
  TrainingRows rows;
  for (const auto& space : spaces) {
    if (operator_of(space->measured().task) == without) continue;
    append(rows, TRY(rows_of(*space, options)));
  }
  if (rows.labels.empty()) {
    return fail(
        fmt::format("no measured space of another operator than {} to train a model on", without));
  }
  return train_saved_model(rows, options.seed);
}

}  // namespace dovetail
