// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkRequest: what is wanted of a network, beside its model and its log, as values.
//
//   NetworkRequest{.name = "resnet18.onnx", .exact = true, .memory_limit_mb = 64}

#include <cstdint>
#include <optional>
#include <string>

namespace dovetail {

struct NetworkRequest {
  std::string name;                      // the model's, in messages
  std::string log_name = {};             // the log's, likewise
  bool choose_again = false;             // variant `global`: ignore the network that the log keeps
  bool exact = false;                    // only algorithms that round as the definition
  std::optional<double> max_error = {};  // campaign/accuracy/accuracy_rule.h
  std::optional<double> memory_limit_mb = {};  // constants plus temporaries
  // Each region runs with a random trace of its space, if that has several.
  std::optional<uint64_t> trace_seed = {};
  bool is_profiled = false;  // keeps the kernels' bodies, which a profile reads
  // Gives pages that nobody uses back to the system between steps, of everything that the process
  // has mapped: for a program, not for a library in somebody else's.
  bool owns_process = true;
};

}  // namespace dovetail
