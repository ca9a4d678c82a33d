// SPDX-License-Identifier: Apache-2.0
#pragma once

// run: one spec or a model, computed once on arrays of one's own, checked, its outputs given back.
//
//   const Run run = TRY(run_spec({.spec = "Y[i,j] = exp(X[i,j]) : i=4,j=6",
//                                 .inputs = "in", .outputs = "out"}, {}));
//   in/input_0.npy -> X    Y -> out/output_0.npy    run.rows[0].max_rel_error
//
// So that anyone can check us with numpy, and see how long it takes. It runs in this process: what
// a campaign may not survive, a user who asks for one trace sees at once.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/accuracy/accuracy_rule.h"
#include "campaign/listener.h"
#include "campaign/run/beside_engines.h"
#include "campaign/run/region_tensors.h"
#include "core/base/result.h"
#include "core/record/log/best_record.h"
#include "measure/reference/region_reference.h"

namespace dovetail {

struct RunSpecOptions {
  std::string spec;  // an operator, a sum, a region, or a model's file
  std::string target = "cpu";
  std::string log;           // of the best trace; empty: default traces
  std::string inputs;        // folder; empty: random numbers
  std::string outputs;       // folder; empty: none
  std::string profile = {};  // of a model: file for what each kernel takes; empty: none
  // A model is put together so (network_variants.h); several run in turn, each one a row. Empty:
  // the network that the log keeps, which is `global`; where it keeps none, `joint`.
  std::vector<std::string> variants = {};
  bool choose_again = false;                   // `global`, though the log keeps a network
  std::optional<double> memory_limit_mb = {};  // of constants and temporaries
  bool exact = false;                          // only what rounds as the definition's sum does
  std::optional<double> max_error = {};     // campaign/accuracy/accuracy_rule.h; none: its default
  std::vector<std::string> peers = {};      // of a model: engines that run beside it
  uint64_t seed = 0;                        // of random inputs
  std::vector<std::string> shapes = {};     // NAME=1,3,224,224, of a model's dynamic inputs
  std::vector<std::string> constants = {};  // NAME=16000, inputs of a model that are held there
  // Of a model: each region runs with a random trace of its space, where that has several.
  std::optional<uint64_t> trace_seed = {};
};

struct RunRow {
  std::string name;               // the spec, printed
  std::optional<double> seconds;  // median of some runs; none where it did not run
  double max_abs_error = 0;       // against the reference, of all outputs
  double max_rel_error = 0;       // measure/output_check.h
  std::string reason;             // why it is wrong or did not run; empty: it is right
  RecordMatch match;              // of the log
  int64_t nodes = 1;              // of a model; a spec is one
  int64_t views = 0;              // of them those that only change a shape: no kernel runs
  int64_t distinct = 1;           // of a model, its distinct regions
  int64_t recorded = 0;           // of these, those with a trace of the log
  int64_t random_traces = 0;      // of a model, its distinct regions that ran with one
  int64_t calls = 1;              // of a model: regions that run, conversions among them
  int64_t conversions = 0;        // of a model
  int64_t fused = 0;              // of a model: nodes that run inside another one's region
  std::string variant = "joint";  // of a model
  std::string same_as;            // of several variants: an earlier one that is the same network
  int64_t networks = 1;           // of `global`: that were measured, now or when it was kept
  bool kept = false;              // of `global`: the log kept what was chosen
  std::optional<double> joint_seconds = {};    // of `global`: the first of them
  std::vector<double> round_seconds = {};      // where several variants or peers run in turn
  std::vector<EngineRow> engines = {};         // --peer: in the same rounds
  std::optional<double> kernels_seconds = {};  // of a profile: all kernels, one by one
  double conversion_seconds = 0;               // of these, conversions
  int64_t peak_bytes = 0;                      // of temporaries: planned, and used
  int64_t lower_bound_bytes = 0;               // no plan of them is smaller
  int64_t constant_bytes = 0;                  // of a model: weights, as kernels read them
  // The error of all outputs against the definition in double, over their range; of a whole model,
  // nothing rounded between its regions (campaign/accuracy/network_reference.h).
  std::optional<double> range_error = {};
  std::vector<AccuracyRule::Refused> left_out = {};  // algorithms beyond --max-error
  std::vector<std::string> files;  // that were written, in the order of the outputs
};

// The fastest peer's time over ours, of the same rounds; none without a peer that has one.
std::optional<double> ratio_of(const RunRow& row);

struct Run {
  std::vector<RunRow> rows;
  int64_t process_peak_bytes = 0;  // of a model: the most memory that this process had
};

// The inputs of a run: input_0.npy, input_1.npy, … of a folder.
//
//   read_inputs("in", tensors_given(region, text))      values by tensor, row-major
//
// An array fits when its shape is the tensor's, leading extents of one apart (a matrix product has
// a batch of one that nobody writes), and when the tensor's type holds each of its values exactly.
// So float64 arrays of small integers are taken, and those of thirds refused: rounding is the
// user's to decide, with astype.
//
// The error names the file, what it has and what the tensor needs.
Result<RegionInputs> read_inputs(const std::string& folder, const std::vector<OuterTensor>& given);

// An error is bad input; nothing was written then.
Result<Run> run_spec(const RunSpecOptions& options, const Listener& listener);

}  // namespace dovetail
