// SPDX-License-Identifier: Apache-2.0
#pragma once

// ClaimedTimes: whether a record's time is physically possible on its device.
//
//   ClaimedTimes times;
//   times.why_impossible(record, header)
//       "claims 1e-08 s, and no cpu with 1 thread takes less than 0.0003226 s for 1.342e+08
//       multiply-adds"; empty: believed
//
// A runner checks its measurements against the measured peak of its own machine
// (measure/host/device_session.h). A log may come from anywhere: its header has the device's
// threads or compute units, but no rates. So the bound is that of any existing processor: 64
// multiply-adds per cycle and thread at 6.5 GHz; on a GPU 256 per cycle and compute unit at 4 GHz;
// of types narrower than f32, which units for matrices take, 16 and 32 times as many (AMX has 1024
// of bytes a cycle, a Blackwell's tensor cores 4096 of halves). That is several times what real
// ones reach in f32, and far from the times of a mistake or forgery. It counts the multiply-adds
// that the trace's algorithm cannot avoid, without those on padding, and the bytes written.

#include <map>
#include <string>

#include "core/record/line/log_header.h"
#include "core/record/line/record.h"

namespace dovetail {

class ClaimedTimes {
 public:
  // Why no device of its kind can reach the time of a record; empty when it is plausible.
  std::string why_impossible(const Record& record, const LogHeader& header);

 private:
  // Work that a region needs under any schedule.
  struct Work {
    double multiply_adds = 0;  // by the definition; 0: unknown
    double algorithms = 1;     // largest reduction of multiply-adds by an algorithm, as a divisor
    double written_bytes = 0;
    bool is_narrow = false;  // operands have fewer than 32 bits
  };
  const Work& work_of(const std::string& task);

  std::map<std::string, Work> work_;  // by spec: a log has many records of few specs
};

}  // namespace dovetail
