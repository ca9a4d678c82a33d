// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/judged_variants.h"

#include <algorithm>
#include <utility>

namespace dovetail {
namespace {

DistinctRuns first_alike(const VariantRuns& runs) {
  DistinctRuns first;
  for (const auto& run : runs) {
    const auto alike =
        std::ranges::find_if(first, [&](VariantRun* other) { return run->runs_as(*other); });
    first.push_back(alike == first.end() ? run.get() : *alike);
  }
  return first;
}

}  // namespace

Result<std::unique_ptr<VariantRun>> choose_variant(const RunSetting& setting,
                                                   const AskedVariant& variant, SharedLog log,
                                                   Partition parts) {
  SharedLog own_log = TRY(log_of_variant(log, variant));
  log.reset();  // a large campaign's takes more memory than the network
  auto run = std::make_unique<VariantRun>(setting, variant, std::move(own_log), std::move(parts));
  TRY(run->choose());
  return run;
}

Result<std::unique_ptr<VariantRun>> choose_variant(const RunSetting& setting,
                                                   const AskedVariant& variant,
                                                   const NetworkSources& sources) {
  SharedLog log = TRY(sources.read_log(setting.listener));
  Partition parts = TRY(sources.read_parts(*log));
  return choose_variant(setting, variant, std::move(log), std::move(parts));
}

Result<DistinctRuns> load_within_bound(VariantRuns& runs, const MakeVariant& make,
                                       AccuracyRule& rule) {
  while (true) {
    const DistinctRuns first = first_alike(runs);
    bool is_beyond = false, has_other_algorithms = false;
    double error = 0;
    for (size_t r = 0; r < runs.size(); ++r) {
      if (runs[r].get() != first[r]) continue;
      TRY(runs[r]->load());
      is_beyond |= runs[r]->is_beyond();
      has_other_algorithms |= runs[r]->has_other_algorithms();
      error = std::max(error, runs[r]->row().range_error.value_or(0));
    }
    // The definition's sums cannot be bounded further: what f16 rounds stays.
    const bool is_bounded = has_other_algorithms && !is_beyond && rule.judge_network(error);
    if (!is_beyond && !is_bounded) return first;
    for (std::unique_ptr<VariantRun>& run : runs) run = TRY(make(run->row().variant));
  }
}

}  // namespace dovetail
