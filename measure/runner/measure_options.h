// SPDX-License-Identifier: Apache-2.0
#pragma once

// MeasureOptions: all options of measuring, with their defaults.

#include <cstdint>
#include <string>

#include "core/record/line/caches.h"
#include "measure/reference/check_data.h"
#include "measure/timing.h"
#include "measure/worker/faults.h"
#include "primitives/algorithm/error_estimate.h"

namespace dovetail {

struct MeasureOptions {
  double lease_timeout_seconds = 30;  // for a worker to start and get its device
  double build_timeout_seconds = 30;
  // The timeout of a run is `run_timeout_factor` times the best time so far, at least the floor and
  // at most the limit; the limit while there is no best. On OpenCL the floor is higher: drivers
  // compile at launch.
  double run_timeout_seconds = 20;
  double run_timeout_floor_seconds = 1;
  double driver_run_timeout_floor_seconds = 5;
  double run_timeout_factor = 50;
  // Build workers; 0: one for each core that may be busy while candidates are timed
  // (core/base/cores.h). Those on the cores that run candidates work only while nothing is ready to
  // run, and are paused during timing.
  int builders = 0;
  Caches caches = Caches::hot;                    // state of the operands before every timed run
  int64_t build_memory_bytes = int64_t{4} << 30;  // address space of a build worker
  int64_t run_memory_bytes = int64_t{16} << 30;   // the same for a run worker
  TimingRule timing;
  // Finalists and replays (Purpose::confirm).
  TimingRule thorough_timing = {.warmup_seconds = 5e-3,
                                .budget_seconds = 0.3,
                                .relative_half_width = 0.003,
                                .least_samples = 30};
  // Limit on the error over the output's range, on real numbers, for algorithms whose rounding
  // differs from the definition's: a candidate above it is wrong_output.
  double max_error = kDefaultMaxError;
  int peak_every = 50;  // trials between two measurements of the FMA peak

  // The rest is for the runner itself, and not sent to the measuring process.
  OwnInputs own_inputs = {};     // a task's actual operands, used where real numbers are
  std::string worker_path = {};  // the dovetail-worker program; empty: find_worker()
  // Keeps the thread that makes the runner, and all that it starts, off the cores that time
  // candidates, for the runner's lifetime. A program that does not want its threads moved times
  // beside them.
  bool pins_caller = true;
  Faults faults;  // tests: what trial N does wrong
};

}  // namespace dovetail
