// SPDX-License-Identifier: Apache-2.0
#pragma once

// build: a model and its log in, a package out that runs without us (deploy/package).
//
//   const Build build = TRY(build_package({.model = "net.onnx", .log = "tune.jsonl",
//                                          .folder = "out", .name = "pose"}, listener));
//   build.calls[3].match        exact: a record of this CPU
//   build.range_error           2.2e-07, on the data that it was judged on
//   build.sizes.weights[0]      14254080 bytes, 13990912 of the model's
//
// A target of OpenCL gives a package of sources (deploy/package/opencl): `workspace` is then the
// device's memory, an object a buffer, beside what one plan of it would take.
//
// Several targets are several instruction sets of one package: each is judged and compiled by
// itself, and the processor that the program meets decides.
//
// It replays and never searches: the network is what `run` runs with the same model, log, variant
// and data, to the bit. To that end it is judged as `run` judges it: on arrays of the user's, or
// random ones, against the definition in double.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/accuracy/accuracy_rule.h"
#include "campaign/listener.h"
#include "core/base/result.h"
#include "deploy/package/package_facts.h"
#include "deploy/package/package_options.h"

namespace dovetail {

struct BuildOptions {
  std::string model;
  std::string log;                             // empty: default traces
  std::string folder = {};                     // that the package goes to
  std::string name = {};                       // empty: of the model's file
  std::vector<std::string> targets = {};       // empty: this CPU; several: one package chooses
  std::string system = {};                     // linux, macos or windows; empty: as the target's
  std::optional<std::string> variant = {};     // as `run` has them, one
  bool exact = false;                          // only what rounds as the definition's sum does
  std::optional<double> max_error = {};        // campaign/accuracy/accuracy_rule.h
  std::string calibrate = {};                  // inputs, or folders of inputs; empty: random ones
  std::optional<double> memory_limit_mb = {};  // of constants and temporaries
  std::string weights = "file", workspace = "caller";  // forms, by their words
  std::vector<std::string> pools = {}, constants_pools = {};
  std::string algorithm = "exact";  // of the plan
  std::vector<std::string> shapes = {}, constants = {};
  bool strict = false;   // every call by an exact record, or nothing is written
  bool dry_run = false;  // nothing is written
  bool force = false;    // a package that is there is replaced
};

struct BuildSizes {
  struct Workspace {
    std::string pool;
    int64_t bytes = 0, lower_bound_bytes = 0;
  };
  struct Weights {
    std::string pool;
    int64_t bytes = 0;                           // of the file
    int64_t given_bytes = 0, derived_bytes = 0;  // as the model has them; computed from those
  };
  int64_t model_bytes = 0;  // its constants, as it stores them
  std::vector<Workspace> workspace;
  bool is_planned = true;  // it is; a device's memory is one object a buffer
  std::vector<Weights> weights;
  int64_t code_bytes = 0;  // instructions and numbers of kernels and driver; opencl: kernels' text
};

struct Build {
  std::string name, id, variant;
  std::vector<PackageCall> calls;
  std::vector<RegionAccuracy> accuracy;
  std::optional<OutputError> output_error;  // none where the network cannot run here
  std::vector<AccuracyRule::Refused> left_out;
  BuildSizes sizes;
  std::map<std::string, int64_t> files;  // path in the folder -> bytes
  std::vector<std::string> misses;       // calls without an exact record, a line each
  bool is_written = false;
  std::string reason;  // why the network is wrong; empty: it is right
};

int64_t count(const Build& build, MatchLevel match);

// The error is bad input; nothing was written then. Neither is anything written where the network
// is wrong, or where strict calls have misses.
Result<Build> build_package(const BuildOptions& options, const Listener& listener);

}  // namespace dovetail
