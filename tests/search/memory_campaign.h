// SPDX-License-Identifier: Apache-2.0
#pragma once

// A campaign of one task in memory, on any runner: what the tests of the tuner run.
//
//   MemoryCampaign campaign{larger_space()};
//   FakeRunner runner;
//   const Result<TuneSummary> summary = campaign.run(runner);
//   campaign.log;                        // its records; run it again, and it is resumed

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "search/tuner.h"

namespace dovetail::testing {

struct MemoryCampaign {
  const Space& space;
  TunerOptions options = {.stop = {.max_trials = 200}};
  uint64_t seed = 3;
  std::vector<Record> log = {};  // what was written, by this and earlier runs
  std::vector<RoundRecord> rounds = {};
  int64_t interrupt_after = -1;  // records written by this run; -1: never
  std::vector<Progress> progress = {};
  std::string strategy_spec = "random";
  bool learns = false;               // has a cost model
  CostModel* fresh_model = nullptr;  // judged beside it
  std::vector<std::string> notes = {};
  // Elapsed seconds of the campaign, from the records written; none: 0.01 s a record.
  std::function<double(const std::vector<Record>& log)> clock = {};
  std::optional<double> confirming_seconds = {};  // none: by the limit
  std::vector<int64_t> slices = {};  // trials of each, in turn again and again; empty: one slice

  Result<TuneSummary> run(Runner& runner);
};

std::vector<Record> of_kind(const std::vector<Record>& records, RecordKind kind);
std::vector<std::string> traces(const std::vector<Record>& records);  // trials only, in order

}  // namespace dovetail::testing
