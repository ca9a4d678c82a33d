// SPDX-License-Identifier: Apache-2.0
#pragma once

// Network: a model compiled for a target, in memory and ready to run.
//
//   const dt::Network network = DOVETAIL_TRY(dt::compile(model, target, log));
//   const std::vector<dt::NDArray> outputs = DOVETAIL_TRY(network.run({image}));
//   DOVETAIL_TRY(network.seconds())                          of one run
//
// Kernels run on a thread of the network's own and the target's further threads, each on a core,
// whatever thread calls. Calls of one network come one after another.

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "campaign/listener.h"
#include "core/base/result.h"
#include "dovetail/log.h"
#include "dovetail/model.h"
#include "dovetail/ndarray.h"
#include "dovetail/target.h"

namespace dovetail::api {

// How layouts are chosen (docs/layouts.md).
enum class Layouts : uint8_t {
  kept,                 // the network that the log keeps, else joint
  joint,                // by times in the log, and what is converted between them
  forward_only,         // what follows a product takes its layout
  backward_only,        // what is before a product makes the layout that it wants
  without_propagation,  // all that are no products are row-major
  no_layouts,           // the log's campaigns of no_layouts only: loops and algorithms
  loop_only,            // the log's campaigns with one fixed layout only
  global                // by what whole networks take, measured now unless the log keeps it
};

struct CompileOptions {
  Layouts layouts = Layouts::kept;
  bool exact = false;                          // only algorithms that round as the definition does
  std::optional<double> max_error = {};        // bound for other algorithms, relative to the range
  std::optional<double> memory_limit_mb = {};  // constants plus temporaries
  std::vector<NDArray> inputs = {};            // that it is checked on; random numbers without
  uint64_t seed = 0;                           // for random inputs
};

class Network {
 public:
  const std::vector<TensorInfo>& inputs() const;
  const std::vector<TensorInfo>& outputs() const;

  // In the order of inputs() and outputs(). An input fits if its type holds each element exactly
  // and its shape is the tensor's, up to leading extents of one. Outputs are the caller's own.
  Result<std::vector<NDArray>> run(const std::vector<NDArray>& inputs) const;
  // Time of a run on the latest inputs: a median over as many runs as make it steady.
  Result<double> seconds() const;

  struct Facts {
    int64_t regions = 0;                               // distinct ones
    int64_t calls = 0, recorded = 0, conversions = 0;  // recorded: with a record of the log
    int64_t constant_bytes = 0, temporary_bytes = 0;
    // Largest of an output against the definition in double, over the output's range.
    double range_error = 0;
  };
  const Facts& facts() const;

  struct Data;
  explicit Network(std::shared_ptr<Data> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<Data> data_;
};

// With the best traces of the log, or with default traces. Every call is checked against the
// definition, as is the whole: a network that computes something else is an error.
Result<Network> compile(const Model& model, const Target& target, const Log& log,
                        const CompileOptions& options = {}, const Listener& listener = {});
Result<Network> compile(const Model& model, const Target& target,
                        const CompileOptions& options = {}, const Listener& listener = {});

}  // namespace dovetail::api
