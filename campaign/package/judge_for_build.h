// SPDX-License-Identifier: Apache-2.0
#pragma once

// The network of a build, judged as `run` judges it.
//
//   const JudgedBuild found = TRY(judge_for_build(options, target, listener));
//   found.network.lowered.program      what is compiled
//   found.network.range_error          of its outputs; none where the target's code cannot run here
//
// In that case error estimates alone decide (campaign/accuracy), and the output says so.

#include <memory>
#include <string>

#include "campaign/accuracy/accuracy_rule.h"
#include "campaign/package/build_package.h"
#include "campaign/run/variant_run.h"
#include "core/base/result.h"
#include "core/ir/target.h"

namespace dovetail {

struct JudgedBuild {
  JudgedNetwork network;
  Target target;                       // with the properties in the log
  std::shared_ptr<AccuracyRule> rule;  // with its refusals
  std::string data;                    // in words: "random inputs", "calibration, 3 sets of inputs"
  std::string reason;                  // why it is wrong; empty: it is right
};

Result<JudgedBuild> judge_for_build(const BuildOptions& options, const Target& target,
                                    const Listener& listener);

}  // namespace dovetail
