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

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/accuracy/accuracy_rule.h"
#include "campaign/accuracy/network_data.h"
#include "campaign/network/choose_network.h"
#include "campaign/run/network_steps.h"
#include "campaign/run/network_trials.h"
#include "campaign/run/run.h"
#include "deploy/network/lowered_network.h"

namespace dovetail {

// All variants of one run share this.
struct RunSetting {
  const RunSpecOptions& options;
  const Listener& listener;
  const Target& target;
  Caches caches;  // as the network runs: of records, these come first
  const std::vector<int>& cores;
  const std::vector<NetworkData>& data;  // at least one; networks are timed on the first
  std::shared_ptr<AccuracyRule> rule;    // what no variant may use; each learns from all
  // Programs and constants stay, for whoever takes the network; it is one that the log means, and
  // none is measured for variant `global`.
  bool keeps_network = false;
};

// A network as it was judged.
struct JudgedNetwork {
  std::string variant;
  Partition parts;  // with what is fused
  LoweredNetwork lowered;
  std::vector<RecordMatch> matches;                  // of each step
  std::vector<NetworkSteps::CallError> errors = {};  // on all data; none where it did not run
  std::optional<double> range_error = {};            // of its outputs
};

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
  // Of a setting that keeps it; after choose(), and where it runs here, load().
  JudgedNetwork judged() &&;
  // The profile and the outputs that were asked for.
  Result<void> finish();

  LoadedNetwork& network() { return *network_; }
  Result<std::vector<ComparedTensor>> compared(const std::vector<TensorId>& ids);
  const Graph& graph() const { return parts_.graph; }
  const NetworkReference& reference() const { return setting_.data.front().reference; }
  RunRow& row() { return row_; }

 private:
  Result<MeasuredFusions> measure_networks(const Partition& parts);
  // The network that was just chosen goes into the log, with what each of its calls takes.
  Result<void> keep_found(NetworkRecord found);
  Result<void> load_network_here();
  // Call by call, then as a whole.
  Result<void> check_on(const NetworkData& data, GraphConstants constants);
  void learn_errors();
  Result<void> judge_outputs(const NetworkData& data);
  // Where each step's trace comes from.
  std::vector<RecordMatch> matches_of(const NetworkOfLog& chosen) const;
  void describe();
  std::string timed_text() const;
  Result<void> check_whole();
  Result<void> write_profile();
  Result<void> write_graph_outputs();

  const GraphTensor& tensor(TensorId id) const {
    return parts_.graph.tensors[static_cast<size_t>(id)];
  }

  const RunSetting& setting_;
  const NetworkWish wish_;
  TaskTraces traces_;
  Partition parts_;
  TrialSetting trials_{parts_, setting_.target, setting_.cores, setting_.data.front().inputs};
  LoweredNetwork lowered_;
  std::optional<NetworkSteps> steps_;
  std::optional<LoadedNetwork> network_;
  std::vector<RecordMatch> matches_;
  std::vector<NetworkSteps::CallError> errors_;
  bool is_beyond_ = false;
  RunRow row_;
};

}  // namespace dovetail
