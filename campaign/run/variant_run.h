// SPDX-License-Identifier: Apache-2.0
#pragma once

// VariantRun: a model put together in one way, checked call by call and ready to be timed.
//
//   VariantRun run(setting, "global", log, parts);
//   TRY(run.choose());             what it runs, lowered; notes say how it was found
//   TRY(run.load());               in the thread that times it: loaded, checked, run as a whole
//   if (run.is_right()) TRY(run.time());
//   run.row()
//
// Why apart from run_network: several variants of one model run in turn, on the same inputs.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/accuracy/accuracy_rule.h"
#include "campaign/accuracy/network_reference.h"
#include "campaign/run/network_steps.h"
#include "campaign/run/network_trials.h"
#include "campaign/run/run.h"
#include "core/record/log/log.h"
#include "deploy/fusion/measured_fusions.h"
#include "deploy/fusion/recorded_network.h"
#include "deploy/network/lower_network.h"

namespace dovetail {

// All variants of one run share this.
struct RunSetting {
  const RunSpecOptions& options;
  const Listener& listener;
  const Target& target;
  Caches caches;  // as the network runs: of records, these come first
  const std::vector<int>& cores;
  const std::vector<Array>& inputs;  // of the graph, in order
  const NetworkReference& reference;
  std::shared_ptr<AccuracyRule> rule;  // what no variant may use; each learns from all
};

// The log that variants share, never null; where it holds none, all have default traces.
using SharedLog = std::shared_ptr<const std::optional<Log>>;

OuterTensor outer_tensor(const GraphTensor& tensor);

class VariantRun {
 public:
  // Without a variant it is the network that the log keeps, and joint where that keeps none.
  VariantRun(const RunSetting& setting, std::optional<std::string> variant, SharedLog log,
             Partition parts);
  VariantRun(const VariantRun&) = delete;
  VariantRun& operator=(const VariantRun&) = delete;

  Result<void> choose();
  Result<void> load();
  bool is_right() const { return row_.reason.empty(); }
  // After load(): calls were beyond the bound of accuracy. The rule refuses their algorithms now,
  // and another run of the variant will do without them.
  bool is_beyond() const { return is_beyond_; }
  Result<void> time();
  // Both run the very same kernels on the same buffers: timing both would tell noise apart. Asked
  // before load(), which lets go of kernels that nobody profiles.
  bool runs_as(const VariantRun& other) const { return lowered_.program == other.lowered_.program; }
  // The row takes what was found of another one that runs the same network.
  void take(const VariantRun& same);
  // The profile and the outputs that were asked for.
  Result<void> finish();

  LoadedNetwork& network() { return *network_; }
  Result<std::vector<ComparedTensor>> compared(const std::vector<TensorId>& ids);
  const Graph& graph() const { return parts_.graph; }
  const NetworkReference& reference() const { return setting_.reference; }
  RunRow& row() { return row_; }

 private:
  Result<Trace> trace_of_task(const TaskSpec& spec);
  Result<std::vector<TimedTrace>> traces_of_task(const TaskSpec& spec);
  Result<NetworkChoice> choice(const TraceOfTask& trace_of);
  Result<NetworkChoice> choose_global(const TraceOfTask& trace_of);
  Result<MeasuredFusions> measure_networks(const TraceOfTask& trace_of);
  // The log may keep one, of as many trials as it has. A note says where it comes from.
  std::optional<ChosenNetwork> kept_choice(const TraceOfTask& trace_of);
  // The network that was just chosen goes into the log, with what each of its calls takes.
  Result<void> keep_found();
  // Traces of a kept network by algorithms that its numbers do not stand here are left out.
  void leave_out_inexact(ChosenNetwork& kept);
  Result<void> judge_outputs();
  void say_what_is_fused(const std::vector<NodeChain>& chains) const;
  Result<void> check_memory() const;
  void describe();
  std::string timed_text() const;
  Result<void> check_whole();
  Result<void> write_profile();
  Result<void> write_graph_outputs();

  const GraphTensor& tensor(TensorId id) const {
    return parts_.graph.tensors[static_cast<size_t>(id)];
  }

  const RunSetting& setting_;
  const bool takes_kept_;  // no variant was asked for
  SharedLog log_;          // until choose() is done
  Partition parts_;
  TrialSetting trials_{parts_, setting_.target, setting_.cores, setting_.inputs};
  std::map<std::string, Trace> traces_;
  const AllowsAlgorithm allows_ = allowed_by(setting_.rule);
  const TraceOfTask otherwise_ = default_traces(setting_.target, allows_);
  std::map<Caches, int64_t> timed_;  // distinct regions by the state of their record
  LoweredNetwork lowered_;
  std::optional<NetworkRecord> found_;  // by measurements of this run
  std::optional<NetworkSteps> steps_;
  std::optional<LoadedNetwork> network_;
  bool is_beyond_ = false;
  RunRow row_;
};

}  // namespace dovetail
