// SPDX-License-Identifier: Apache-2.0
#pragma once

// SavedRuns: the simulated runs of a comparison, one JSON line per finished run, so that an
// interrupted comparison can resume; also for readers that want whole trajectories.
//
//   SavedRuns saved = TRY(SavedRuns::open("out"));           out/trajectories.jsonl
//   if (const RunToCompare* run = saved.find(asked)) ...     done before
//   TRY(saved.add(asked, run));
//   TRY(saved.finish());                                     out/trajectories.jsonl.gz
//
// `asked` is a JSON object: strategy, cost model, space, seed, trials. A line has the run's
// evaluations in order: the time of the kernel (null: it failed), and the cost of the trial. The
// file of a finished comparison is not read again: the next comparison starts anew.

#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "search/compare/strategy_curve.h"

namespace dovetail {

class SavedRuns {
 public:
  // Creates the folder. The error names what cannot be made or read.
  static Result<SavedRuns> open(const std::string& folder);

  const RunToCompare* find(const std::string& asked) const;
  // Not thread-safe.
  Result<void> add(const std::string& asked, const RunToCompare& run);
  Result<void> finish();
  size_t size() const { return runs_.size(); }
  const std::string& path() const { return path_; }

 private:
  bool take(std::string_view line);  // false: not a run

  std::string path_;
  std::map<std::string, RunToCompare, std::less<>> runs_;
};

}  // namespace dovetail
