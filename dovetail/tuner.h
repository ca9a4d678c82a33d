// SPDX-License-Identifier: Apache-2.0
#pragma once

// tune: measures candidates of every task of a model on a target, into a log.
//
//   const dt::Tuning found = DOVETAIL_TRY(dt::tune(model, target, log, {.trials = 200}));
//   found.tasks[0].default_seconds, found.tasks[0].best_seconds
//
// Candidates are built and run in worker processes (dovetail-worker), so that one that crashes or
// hangs is a failed trial. tune() returns when it is done; it works in threads of its own, from
// which it calls the listener.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "campaign/listener.h"
#include "core/base/result.h"
#include "dovetail/log.h"
#include "dovetail/model.h"
#include "dovetail/ndarray.h"
#include "dovetail/target.h"
#include "dovetail/task.h"

namespace dovetail::api {

using dovetail::Ending;
using dovetail::Listener;
using dovetail::Progress;
using dovetail::TaskTurn;

// How candidates are proposed (docs/strategies.md), in the order of the table in search/strategies.
enum class Strategy : uint8_t {
  random,
  exhaustive,
  annealing,
  evolutionary,
  descent,
  draft_verify,
  dovetail
};
// How candidates are ranked before they are measured, in the order of the table in costmodel.
enum class CostModel : uint8_t { none, random, roofline, xgboost };

// Where trials go if the log has campaigns already.
enum class IntoLog : uint8_t {
  another_campaign,
  the_last_one  // goes on, with the same options but for limits, as if it had not ended
};

struct TuneOptions {
  int64_t trials = 1000;                 // per task, unless tasks share a budget
  std::optional<double> seconds = {};    // likewise
  std::optional<int64_t> patience = {};  // trials of a task without a better one
  // With one of these two, tasks share a budget: more goes to those that promise more.
  std::optional<int64_t> total_trials = {};
  std::optional<double> total_seconds = {};  // likewise
  Strategy strategy = Strategy::dovetail;
  CostModel cost_model = CostModel::none;
  bool exact = false;                    // only algorithms that round as the definition does
  std::optional<double> max_error = {};  // bound for other algorithms, relative to the range
  uint64_t seed = 0;                     // seeds everything random
  IntoLog into = IntoLog::another_campaign;
  // A model's inputs, on which candidates are checked; random numbers without.
  std::vector<NDArray> inputs = {};
  std::string worker = {};  // path of dovetail-worker; empty: the one installed with the library
  // Stops soon after a request; everything measured is in the log.
  std::stop_token stop = {};
};

struct TunedTask {
  std::string name, spec;
  int64_t weight = 1;
  int64_t trials = 0, valid = 0;
  std::optional<double> default_seconds, best_seconds;
};

struct Tuning {
  std::vector<TunedTask> tasks;
  double seconds = 0;  // spent by the whole campaign
  Ending ending = Ending::done;
  std::string device_error;  // why the device was lost
};

// Fails on input that cannot be tuned, before anything is measured, and where the log cannot be
// written. An interrupted campaign and a lost device are results.
Result<Tuning> tune(const Model& model, const Target& target, const Log& log,
                    const TuneOptions& options = {}, const Listener& listener = {});
Result<Tuning> tune(const std::vector<Task>& tasks, const Target& target, const Log& log,
                    const TuneOptions& options = {}, const Listener& listener = {});

}  // namespace dovetail::api
