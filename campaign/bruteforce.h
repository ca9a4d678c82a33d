// SPDX-License-Identifier: Apache-2.0
#pragma once

// bruteforce: measures every point of a reduced space and keeps them as one file, so that
// strategies can be compared without the device.

#include <cstdint>
#include <string>

#include "campaign/listener.h"
#include "core/base/result.h"

namespace dovetail {

struct BruteforceOptions {
  std::string spec;
  std::string target = "cpu";
  std::string space = "reduced";
  int64_t points = 50'000;  // at most
  std::string folder;       // holds log.jsonl, which is resumed, and space.json.gz
};

struct BruteforceResult {
  std::string log;  // path of the log
  Ending ending = Ending::done;
  std::string device_error;     // empty unless the device was lost
  int64_t saved = 0;            // points that the log has
  bool was_confirming = false;  // the best, when it was cut off
  // The fields below are set only if `ending` is done.
  std::string spec;
  std::string file;  // path of space.json.gz
  size_t points = 0;
  size_t layouts = 0;  // distinct ones, counted per algorithm
  size_t valid = 0;
  double best_seconds = 0;  // 0 where none is valid
};

// Validates the options and the spec before measuring. Errors: bad input or file I/O.
Result<BruteforceResult> bruteforce(const BruteforceOptions& options, const Listener& listener);

}  // namespace dovetail
