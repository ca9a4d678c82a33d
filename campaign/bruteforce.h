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
  std::string folder;       // for log.jsonl, which is continued, and space.json.gz
};

struct BruteforceResult {
  std::string log;  // its file
  Ending ending = Ending::done;
  std::string device_error;  // of a device that was lost
  // The rest is of one that was done.
  std::string spec;
  std::string file;  // of the space
  size_t points = 0;
  size_t layouts = 0;  // that differ, algorithms told apart
  size_t valid = 0;
  double best_seconds = 0;  // 0 where none is valid
};

// Checks the options and the spec first. An error is bad input, or a file's.
Result<BruteforceResult> bruteforce(const BruteforceOptions& options, const Listener& listener);

}  // namespace dovetail
