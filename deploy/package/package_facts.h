// SPDX-License-Identifier: Apache-2.0
#pragma once

// PackageFacts: the metadata of a build that its executable lacks: the origin of each kernel, the
// network's accuracy, the tool and the model.
//
//   {.tool = "dovetail 0.2.0", .llvm = "19.1.7", .model_sha256 = "5e1f…",
//    .calls = {{.node = "Conv_0", .task = "c2d:…", .trace = "…", .match = MatchLevel::family}}}
//
// Has no time, path or machine name, so that builds from one log are deterministic: `created` is
// set only where SOURCE_DATE_EPOCH was.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/record/log/best_record.h"

namespace dovetail {

struct PackageCall {
  std::string code = {};                 // label of the instruction set, if there are several
  std::string node;                      // in the model
  std::string task;                      // its text
  std::string trace;                     // its text
  MatchLevel match = MatchLevel::exact;  // none: a trace that no search measured
  std::string record = {};               // its name behind that of the log; empty: none
  std::string nearest = {};              // to a call without a record; not in the metadata
  std::string why = {};                  // explains a match that is not exact
  std::string differences = {};          // that without the record's name; not in the metadata
};

// A region whose rounding differs from that of its definition's sums and functions.
struct RegionAccuracy {
  std::string code = {};  // as in PackageCall
  std::string region;
  std::string algorithm = {};         // "winograd(tile=4)"; empty: the definition's sum
  bool has_vector_functions = false;  // exp, tanh and others by polynomials
  double error = 0;                   // largest, relative to the range of the region's output
  bool is_measured = true;            // on the data; otherwise estimated
};

struct OutputError {
  double error = 0;  // largest, relative to the range of the output
  std::string data;  // "8 random inputs", "calibration, 20 files"
};

// PackageOrigin: log and options that decided which network a build took. With them and the model
// the same network can be built again.
struct PackageOrigin {
  std::string log_sha256 = {};  // whatever the file's name; empty: default traces
  std::string variant;          // how layouts were chosen
  // When the log's network was chosen: its time, and that of variant joint.
  std::optional<double> chosen_seconds = {}, joint_seconds = {};
  struct Options {
    bool exact = false;
    std::optional<double> max_error = {};  // none with `exact`
    std::optional<double> memory_limit_mb = {};
    std::vector<std::string> shapes = {}, constants = {};
  } options = {};
};

struct PackageLicence {
  std::string spdx;  // Apache-2.0
  std::string work;  // "kernels and driver", "the model"
  std::string text;  // in full
};

// Bytes of one arena of constants: taken from the model, and computed from it.
struct WeightsOrigin {
  int64_t given_bytes = 0, prepared_bytes = 0;
};

struct PackageFacts {
  std::string tool;  // with its version
  std::string llvm;  // version
  std::string model_sha256;
  int64_t model_nodes = 0;
  int64_t model_bytes = 0;  // its constants, as its file stores them
  PackageOrigin origin = {};
  std::vector<PackageCall> calls = {};
  std::vector<RegionAccuracy> accuracy = {};
  std::optional<OutputError> output_error = {};  // none: the network did not run
  std::vector<PackageLicence> licences = {};
  std::vector<WeightsOrigin> weights = {};  // by arena of constants; empty: unknown
  // share/NAME/plan.csv and plan.svg (deploy/network/network_plan_text.h); empty: none
  std::string plan_csv = {}, plan_svg = {};
  std::optional<int64_t> created = {};  // seconds since 1970: SOURCE_DATE_EPOCH
};

}  // namespace dovetail
