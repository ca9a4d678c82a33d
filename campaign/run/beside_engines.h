// SPDX-License-Identifier: Apache-2.0
#pragma once

// beside_engines: times loaded networks of one model and inference engines, in turn, on the same
// inputs and cores.
//
//   const EngineComparison run = TRY(beside_engines({&joint, &global}, {"openvino"}, model));
//   run.ours[1].seconds     of `global`, the median of all rounds
//   run.rows[0].seconds     openvino's; none where it failed, and then `reason` says why
//
// An engine whose outputs differ from ours by more than a thousandth of their largest magnitude
// computes something else, and gets no time.

#include <optional>
#include <string>
#include <vector>

#include "campaign/run/region_tensors.h"
#include "core/base/result.h"
#include "core/ir/value/named_arrays.h"
#include "deploy/network/loaded_network.h"

namespace dovetail {

struct EngineRow {
  std::string name, version;
  std::string precision;  // in the engine's own words
  std::optional<double> seconds = {};
  std::vector<double> round_seconds = {};
  double difference = 0;   // largest from our outputs, over their magnitude
  double range_error = 0;  // largest against the definition, over the outputs' range
  int64_t peak_bytes = 0;  // process peak; import_bytes: before it had a model
  int64_t import_bytes = 0;
  std::string reason = {};
};

struct OurTime {
  double seconds = 0;
  std::vector<double> round_seconds;
};

struct EngineComparison {
  std::vector<OurTime> ours;  // one per network
  std::vector<EngineRow> rows;
};

struct ComparedModel {
  std::string path;
  NamedArrays inputs, outputs;    // outputs as we computed them
  std::vector<OuterTensor> made;  // the outputs, in the model's order
  std::vector<NDArray> expected;  // likewise, by the definition
  std::vector<int> cores;         // one thread on each
};

// Fails if an engine is unknown or not installed.
Result<EngineComparison> beside_engines(const std::vector<LoadedNetwork*>& networks,
                                        const std::vector<std::string>& engines,
                                        const ComparedModel& model);

}  // namespace dovetail
