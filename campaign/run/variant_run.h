// SPDX-License-Identifier: Apache-2.0
#pragma once

// VariantRun: one variant of a model's network, checked call by call and ready to be timed.
//
//   VariantRun run(setting, "global", log, parts);
//   TRY(run.choose());             what it runs, lowered; notes say how it was found
//   TRY(run.load());               in the thread that times it: loaded, checked, run as a whole
//   if (run.is_right()) TRY(run.time());
//   run.row()                      or std::move(run).loaded(), to run it on other inputs
//
// Separate from run_network, because several variants of one model run in turn, on the same inputs.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/accuracy/accuracy_rule.h"
#include "campaign/accuracy/network_data.h"
#include "campaign/network/choose_network.h"
#include "campaign/run/network_checker.h"
#include "campaign/run/network_profile.h"
#include "campaign/run/network_request.h"
#include "campaign/run/network_trials.h"
#include "campaign/run/run.h"
#include "core/base/cores.h"
#include "deploy/network/lowered_network.h"

namespace dovetail {

// Shared by all variants of one run, which refer to it.
struct RunSetting {
  NetworkRequest request;
  Listener listener;
  Target target;                // with the properties in the log
  Caches caches = Caches::hot;  // the network's cache state; its records come first
  std::vector<int> cores;       // one per thread of the target
  std::vector<int> all_cores = allowed_cores();  // for checks, while nothing is timed
  std::vector<NetworkData> data;                 // at least one; networks are timed on the first
  std::shared_ptr<AccuracyRule> rule;            // its refusals hold for all variants
  // Keeps programs and constants for judged(). The log must then have the network of variant
  // `global`: none is measured.
  bool keeps_network = false;
};

// A network with the results of its checks.
struct JudgedNetwork {
  std::string variant;
  Partition parts;  // with its fused chains
  LoweredNetwork lowered;
  std::vector<RecordMatch> matches;                    // one per step
  std::vector<NetworkChecker::CallError> errors = {};  // on all data; none where it did not run
  std::optional<double> range_error = {};              // worst output, on all data
  // As in RunRow: when the log's network was chosen.
  std::optional<double> chosen_seconds = {}, joint_seconds = {};
};

OuterTensor outer_tensor(const GraphTensor& tensor);

class VariantRun {
 public:
  // Without a variant: the network that the log keeps, else `joint`.
  VariantRun(const RunSetting& setting, std::optional<std::string> variant, SharedLog log,
             Partition parts);
  VariantRun(const VariantRun&) = delete;
  VariantRun& operator=(const VariantRun&) = delete;

  Result<void> choose();
  Result<void> load();
  bool is_right() const { return row_.reason.empty(); }
  // After load(): calls exceeded the accuracy bound. The rule refuses their algorithms now, and
  // another run of the variant does without them.
  bool is_beyond() const { return is_beyond_; }
  // True if a call has an algorithm that rounds otherwise than the definition.
  bool has_other_algorithms() const;
  Result<void> time();
  // Whether both run the same kernels on the same buffers: timing both would compare noise. Call it
  // before load(), which frees kernels that are not profiled.
  bool runs_as(const VariantRun& other) const { return lowered_.program == other.lowered_.program; }
  // Copies the results of another run with the same network into the row.
  void take(const VariantRun& same);
  // Requires keeps_network; call it after choose() and, if the target runs here, load().
  JudgedNetwork judged() &&;
  // The network itself, checked: call it after load().
  LoadedNetwork loaded() && { return *std::move(network_); }
  Result<NetworkProfile> profile();  // requires is_profiled; its sums are in the row

  LoadedNetwork& network() { return *network_; }
  // By name, in the tensors' types and shapes.
  Result<NamedArrays> arrays(const std::vector<TensorId>& ids);
  const Graph& graph() const { return parts_.graph; }
  const NetworkReference& reference() const { return setting_.data.front().reference; }
  RunRow& row() { return row_; }

 private:
  Result<MeasuredFusions> measure_networks(const Partition& parts);
  // Writes the network that was just chosen into the log, with the time of each call.
  Result<void> keep_found(NetworkRecord found);
  Result<void> load_network_here();
  // Checks call by call, then as a whole.
  Result<void> check_on(const NetworkData& data, GraphConstants constants);
  void learn_errors();
  Result<void> judge_outputs(const NetworkData& data);
  void describe();
  void describe_regions();
  std::string timed_text() const;
  Result<void> check_whole();

  const GraphTensor& tensor(TensorId id) const {
    return parts_.graph.tensors[static_cast<size_t>(id)];
  }

  const RunSetting& setting_;
  const NetworkWish wish_;
  TaskTraces traces_;
  Partition parts_;
  TrialSetting trials_{parts_, setting_.target, setting_.cores, setting_.data.front().inputs,
                       setting_.request.owns_process};
  LoweredNetwork lowered_;
  std::optional<NetworkChecker> steps_;
  std::optional<LoadedNetwork> network_;
  std::vector<RecordMatch> matches_;
  std::vector<NetworkChecker::CallError> errors_;
  bool is_beyond_ = false;
  RunRow row_;
};

}  // namespace dovetail
