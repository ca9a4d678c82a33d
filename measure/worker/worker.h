// SPDX-License-Identifier: Apache-2.0
#pragma once

// run_worker: the whole of the dovetail-worker program, in three roles. A tuner starts one that
// measures (measure/host/measuring_host.h); this starts those that build and run candidates, and
// which these may crash.
//
//   dovetail-worker --role run --target "$(print of a Target)" --cores 1 --parent 4711
//                   --memory-bytes 8589934592 --background 0 --faults 7=run_hang
//
// It answers frames on descriptor 3 until that closes. It ends with its parent process, even if
// that is killed.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"
#include "measure/worker/faults.h"

namespace dovetail {

struct WorkerOptions {
  std::string role;          // measure, build or run
  Target target;             // the device
  std::vector<int> cores;    // allowed cores; empty: those of the process that started it
  int64_t parent = 0;        // process id
  int64_t memory_bytes = 0;  // limit on address space; 0: none
  bool background = false;   // lower priority than other builders
  Faults faults;
};

Result<WorkerOptions> parse_worker_options(const std::vector<std::string>& arguments);
std::vector<std::string> print(WorkerOptions options);

// The exit code.
int run_worker(const WorkerOptions& options);

}  // namespace dovetail
