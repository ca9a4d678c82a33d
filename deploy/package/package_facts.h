// SPDX-License-Identifier: Apache-2.0
#pragma once

// PackageFacts: what metadata says of a build and no executable knows: where each kernel came
// from, how exact the network is, who made it and from what.
//
//   {.tool = "dovetail 0.2.0", .llvm = "19.1.7", .model_sha256 = "5e1f…",
//    .calls = {{.node = "Conv_0", .task = "c2d:…", .trace = "…", .match = MatchLevel::family}}}
//
// A value without a clock, a path or the name of a machine, so that two builds of one log give the
// same bytes: `created` is there only where SOURCE_DATE_EPOCH was set.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/record/log/best_record.h"

namespace dovetail {

struct PackageCall {
  std::string code = {};                 // label of the instruction set, where there are several
  std::string node;                      // of the model
  std::string task;                      // its text
  std::string trace;                     // its text
  MatchLevel match = MatchLevel::exact;  // none: a trace that was never measured
  std::string record = {};               // its id; empty where there is none
  std::string why = {};                  // in words, where the match is not exact
};

// A region that rounds otherwise than its definition's sums and functions do.
struct RegionAccuracy {
  std::string code = {};  // likewise
  std::string region;
  std::string algorithm = {};         // "winograd(tile=4)"; empty: the definition's sum
  bool has_vector_functions = false;  // exp, tanh and others by polynomials
  double error = 0;                   // largest, relative to the range of the region's output
  bool is_measured = true;            // on the data; otherwise it is an estimate
};

struct OutputError {
  double error = 0;  // largest, relative to the range of the output
  std::string data;  // "8 random inputs", "calibration, 20 files"
};

struct PackageLicence {
  std::string spdx;  // Apache-2.0
  std::string work;  // "kernels and driver", "the model"
  std::string text;  // in full
};

// Of one arena of constants: what the model gave, and what was computed from it.
struct WeightsOrigin {
  int64_t given_bytes = 0, derived_bytes = 0;
};

struct PackageFacts {
  std::string tool;  // with its version
  std::string llvm;  // version
  std::string model_sha256;
  int64_t model_nodes = 0;
  std::vector<PackageCall> calls = {};
  std::vector<RegionAccuracy> accuracy = {};
  std::optional<OutputError> largest_output_error = {};
  std::vector<PackageLicence> licences = {};
  std::vector<WeightsOrigin> weights = {};  // of each arena of constants; empty: not told
  // share/NAME/plan.csv and plan.svg (deploy/network/network_plan_text.h); empty: none
  std::string plan_csv = {}, plan_svg = {};
  std::optional<int64_t> created = {};  // seconds since 1970: SOURCE_DATE_EPOCH
};

}  // namespace dovetail
