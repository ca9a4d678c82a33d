// SPDX-License-Identifier: Apache-2.0
#pragma once

// run: computes one spec or a model on the user's arrays, checks it, and returns its outputs.
//
//   const Run run = TRY(run_spec({.spec = "Y[i,j] = exp(X[i,j]) : i=4,j=6",
//                                 .inputs = "in", .outputs = "out"}, {}));
//   in/input_0.npy -> X    Y -> out/output_0.npy    run.rows[0].max_rel_error
//
// Lets anyone check us with numpy, and see the time. Runs in this process: a crash, which a
// campaign must survive, is visible at once to a user who runs one trace.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/accuracy/accuracy_rule.h"
#include "campaign/listener.h"
#include "campaign/run/beside_engines.h"
#include "campaign/run/region_tensors.h"
#include "core/base/result.h"
#include "core/base/time_interval.h"
#include "core/ir/value/named_arrays.h"
#include "core/record/log/best_record.h"

namespace dovetail {

struct RunSpecOptions {
  std::string spec;  // an operator, a sum, a region, or a model's file
  std::string target = "cpu";
  std::string log;           // log with the best trace; empty: default traces
  std::string inputs;        // folder; empty: random numbers
  std::string outputs;       // folder; empty: none
  std::string profile = {};  // model: file for kernels' times; empty: none
  // How a model's network is chosen (network_variants.h); several run in turn, one row each. Empty:
  // the network that the log keeps, which is `global`, else `joint`.
  std::vector<std::string> variants = {};
  bool choose_again = false;                   // `global`: ignore the network that the log keeps
  std::optional<double> memory_limit_mb = {};  // constants plus temporaries
  bool exact = false;                          // only algorithms that round as the definition
  std::optional<double> max_error = {};     // campaign/accuracy/accuracy_rule.h; none: its default
  std::vector<std::string> peers = {};      // model: engines to time beside it
  uint64_t seed = 0;                        // for random inputs
  std::vector<std::string> shapes = {};     // NAME=1,3,224,224: a model's dynamic inputs
  std::vector<std::string> constants = {};  // NAME=16000: value that a model's input is fixed at
  // Model: each region runs with a random trace of its space, if that has several.
  std::optional<uint64_t> trace_seed = {};
};

// A region that runs, and where its trace is from.
struct RunRegion {
  std::string node;  // first node of the region; a conversion is named by its tensor
  std::string spec;
  std::string algorithm;
  RecordMatch match;
};

struct RunRow {
  std::string name;                           // the spec, printed
  std::optional<double> seconds;              // median of some runs; none where it did not run
  std::optional<TimeInterval> interval = {};  // how sure that median is
  double max_abs_error = 0;                   // against the reference, of all outputs
  double max_rel_error = 0;                   // measure/check/output_check.h
  std::string reason;                         // why it is wrong or did not run; empty: it is right
  RecordMatch match;                          // record in the log; model: the weakest of regions
  std::vector<RunRegion> regions = {};        // model: in the order in which they run
  int64_t nodes = 1;                          // model: its nodes, as `show` counts them
  int64_t views = 0;                          // regions that only change a shape: no kernel runs
  int64_t distinct = 1;                       // model: distinct tasks of its calls
  int64_t recorded = 0;                       // model: calls with a record
  int64_t of_network = 0;                     // model: others, measured in the kept network
  int64_t random_traces = 0;                  // distinct regions that ran with a random trace
  int64_t calls = 1;                          // model: regions that run, conversions among them
  int64_t conversions = 0;                    // model: layout conversions
  int64_t fused = 0;                          // model: nodes that run inside another one's region
  std::string variant = "joint";              // model only
  std::string same_as;                        // an earlier variant with the same network
  int64_t networks = 1;                       // `global`: measured, now or when it was kept
  bool kept = false;                          // `global`: the log kept the choice
  // `global`, when it was chosen, in turn: its time, and that of variant joint.
  std::optional<double> chosen_seconds = {}, joint_seconds = {};
  // `joint`, where no variant was asked for: that of default traces, in the same rounds.
  std::optional<double> default_seconds = {};
  std::vector<double> round_seconds = {};      // where several variants or peers run in turn
  std::vector<EngineRow> engines = {};         // --peer: in the same rounds
  std::optional<double> kernels_seconds = {};  // --profile: sum over kernels, one by one
  double conversion_seconds = 0;               // --profile: conversions' part of it
  int64_t peak_bytes = 0;                      // temporaries: planned, and used
  int64_t lower_bound_bytes = 0;               // no plan of them is smaller
  int64_t constant_bytes = 0;                  // model: weights, as kernels read them
  int64_t model_constant_bytes = 0;            // model: the same, as its file has them
  // The outputs' largest error against the definition in double, over their range; for a model,
  // nothing is rounded between its regions (campaign/accuracy/network_reference.h).
  std::optional<double> range_error = {};
  std::vector<AccuracyRule::Refused> left_out = {};  // algorithms beyond --max-error
  std::vector<std::string> files;                    // output files, in the order of the outputs
};

// The fastest peer's time over ours, in the same rounds; none without a timed peer.
std::optional<double> ratio_of(const RunRow& row);

struct Run {
  std::vector<RunRow> rows;
  int64_t process_peak_bytes = 0;  // model: peak memory of this process
  Target target;
};

// The inputs of a run: input_0.npy, input_1.npy, … of a folder.
//
//   read_inputs("in", tensors_given(region, text))      values by tensor, row-major
//
// Each must fit its tensor (campaign/run/fitted_array.h). The error names the file, what it has and
// what the tensor needs.
Result<NamedArrays> read_inputs(const std::string& folder, const std::vector<OuterTensor>& given);

// Fails on bad input, with nothing written.
Result<Run> run_spec(const RunSpecOptions& options, const Listener& listener);

}  // namespace dovetail
