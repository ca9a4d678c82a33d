// SPDX-License-Identifier: Apache-2.0
#pragma once

// build: compiles a model with its log into a package that runs without Dovetail (deploy/package).
//
//   const Build build = TRY(build_package({.model = "net.onnx", .log = "tune.jsonl",
//                                          .folder = "out", .name = "pose"}, listener));
//   build.facts.calls[3].match  exact: a record of this CPU
//   build.facts.output_error    2.2e-07, on the data that it was judged on
//   build.sizes.weights[0]      14254080 bytes, 13990912 of the model's
//
// An OpenCL target gives a package of sources (deploy/package/opencl): `workspace` is then device
// memory: the plan's workspace and its images.
//
// Several targets become instruction sets of one package: each is judged and compiled on its own,
// and the processor decides at run time.
//
// Never searches: the network is the one that `run` executes with the same model, log, variant and
// data, to the bit. It is therefore judged as `run` judges it: on the user's arrays, or random
// ones, against the definition in double.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/accuracy/accuracy_rule.h"
#include "campaign/listener.h"
#include "core/base/result.h"
#include "core/ir/target.h"
#include "deploy/package/package_facts.h"
#include "deploy/package/package_options.h"

namespace dovetail {

struct BuildOptions {
  std::string model;
  std::string log;                             // empty: default traces
  std::string folder = {};                     // where the package goes
  std::optional<std::string> name = {};        // none: from the model's file name
  std::vector<std::string> targets = {};       // empty: this CPU; several: one package chooses
  std::string system = {};                     // linux, macos or windows; empty: as the target's
  std::optional<std::string> variant = {};     // one variant of `run`
  bool exact = false;                          // only algorithms that round as the definition
  std::optional<double> max_error = {};        // campaign/accuracy/accuracy_rule.h
  std::string calibrate = {};                  // inputs, or folders of inputs; empty: random ones
  std::optional<double> memory_limit_mb = {};  // constants plus temporaries
  std::string weights = "file", workspace = "caller";  // forms, by name
  std::vector<std::string> pools = {}, constants_pools = {};
  std::string algorithm = "exact";  // memory planner
  std::vector<std::string> shapes = {}, constants = {};
  bool strict = false;   // write nothing if a call has neither an exact record nor a kept network
  bool dry_run = false;  // write nothing
  bool force = false;    // replace an existing package
};

struct BuildSizes {
  struct Workspace {
    std::string pool;
    int64_t bytes = 0, lower_bound_bytes = 0, alignment = 0;
  };
  struct Weights {
    std::string pool;
    int64_t bytes = 0;                            // file size
    int64_t given_bytes = 0, prepared_bytes = 0;  // as in the model; computed from that
    int64_t alignment = 0;
  };
  std::vector<Workspace> workspace;
  std::vector<Weights> weights;
  int64_t code_bytes = 0;  // code and constants of kernels and driver; opencl: kernels' source
};

struct Build {
  std::string name, id;
  PackageFacts facts;                     // those of the metadata
  Target target;                          // that of the best instruction set
  std::vector<std::string> cpu_features;  // that the driver checks for
  std::vector<AccuracyRule::Refused> left_out;
  BuildSizes sizes;
  std::map<std::string, int64_t> files;  // path in the folder -> bytes
  int64_t num_misses = 0;                // calls of level family or none
  std::vector<std::string> misses;       // the same in words, a line for each reason
  bool is_written = false;
  std::string reason;  // why the network is wrong; empty: it is right
};

int64_t count(const Build& build, MatchLevel match);

// Fails on bad input. Writes nothing then, nor if the network is wrong, or if `strict` and there
// are misses.
Result<Build> build_package(const BuildOptions& options, const Listener& listener);

}  // namespace dovetail
