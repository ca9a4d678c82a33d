// SPDX-License-Identifier: Apache-2.0
#pragma once

// ClaimedTimes: whether a record's time is one that its device can have had.
//
//   ClaimedTimes times;
//   times.why_impossible(record, header)
//       "claims 1e-08 s, and no cpu with 1 thread takes less than 0.0003226 s for 1.342e+08
//       multiply-adds"; empty: believed
//
// A runner holds what it measures to the peak of the machine that it runs on
// (measure/device_session.h). A log comes from somewhere: of its device the header has the threads
// or compute units, no rates. So the bound is that of any processor that is built: 64 multiply-adds
// a cycle and thread, at 6.5 GHz; of a GPU 256 a cycle and compute unit, at 4 GHz. That is some
// times what real ones reach, and far from the times that a slip or a forger writes. It counts the
// multiply-adds of the trace's algorithm that cannot be left out, without those on padding, and the
// bytes that are written.

#include <map>
#include <string>

#include "core/record/line/log_header.h"
#include "core/record/line/record.h"

namespace dovetail {

class ClaimedTimes {
 public:
  // Of a record with a time: why no device of its kind can have taken it.
  std::string why_impossible(const Record& record, const LogHeader& header);

 private:
  // What each region needs, whatever computes it.
  struct Work {
    double multiply_adds = 0;  // by the definition; 0: not known
    double algorithms = 1;  // the largest part of them that an algorithm leaves out, as a divisor
    double written_bytes = 0;
  };
  const Work& work_of(const std::string& task);

  std::map<std::string, Work> work_;  // by spec: a log has many records of few
};

}  // namespace dovetail
