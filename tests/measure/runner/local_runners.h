// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runners of this machine, for tests.
//
//   const auto runner = runner_for(target, with_faults("2=run_crash"));

#include <memory>
#include <string>

#include "measure/runner/local_runner.h"
#include "tests/support/right.h"

namespace dovetail::testing {

inline std::unique_ptr<LocalRunner> runner_for(const Target& target,
                                               const MeasureOptions& options = {}) {
  return right(make_local_runner(target, options));
}

inline MeasureOptions with_faults(const std::string& faults) {
  MeasureOptions options;
  options.faults = *parse_faults(faults);
  return options;
}

}  // namespace dovetail::testing
