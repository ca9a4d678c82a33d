// SPDX-License-Identifier: Apache-2.0
#pragma once

// One of ONNX's own cases, run as `dovetail run MODEL` runs a model: node by node, each a region.
//
//   const NetworkCase one("/usr/share/…/node/test_abs");
//   one.name()                       node.test_abs
//   one.refusal()                    why this version cannot run it; empty: it can
//   one.run("opencl").wrong          what is wrong; empty: every output is what ONNX says

#include <cstdint>
#include <optional>
#include <string>

#include "tests/onnx/onnx_testdata.h"

namespace dovetail::testing {

struct CaseRun {
  std::string wrong;          // empty: right
  int64_t random_traces = 0;  // regions that ran with one
};

class NetworkCase {
 public:
  explicit NetworkCase(const std::string& folder);

  const std::string& name() const { return name_; }
  const std::string& refusal() const { return refusal_; }
  // Its first data set.
  CaseRun run(const std::string& target, std::optional<uint64_t> trace_seed = {}) const;

 private:
  std::string find_refusal() const;

  std::string folder_, name_, refusal_;
  OnnxCase case_;
};

}  // namespace dovetail::testing
