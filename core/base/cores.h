// SPDX-License-Identifier: Apache-2.0
#pragma once

// CPU affinity: the cores that this thread may use, and how to change them.
//
//   allowed_cores()              {0, 1, 2, 3}
//   pin_calling_thread({2, 3})   the thread, and those that it starts from now on, run there
//   allowed_cores()              {2, 3}
//
// Used in place of std::thread::hardware_concurrency(): beside a runner, the tuner is kept off the
// cores that time candidates, and must not start more threads than it has cores left.

#include <cstddef>
#include <vector>

namespace dovetail {

// Ascending, at least one.
std::vector<int> allowed_cores();
// False when the system refuses.
bool pin_calling_thread(const std::vector<int>& cores);

// Until its scope ends, the calling thread, and those that it starts, run on these cores.
class OnCores {
 public:
  explicit OnCores(const std::vector<int>& cores) : before_(allowed_cores()) {
    pin_calling_thread(cores);
  }
  OnCores(const OnCores&) = delete;
  OnCores& operator=(const OnCores&) = delete;
  ~OnCores() { pin_calling_thread(before_); }

 private:
  std::vector<int> before_;
};

// CoreSplit: the cores that time candidates, and the cores left to everything else.
//
//   four physical cores of two hardware threads each: {0, 4} {1, 5} {2, 6} {3, 7}
//   split_cores(physical, 1)   timed 3            beside 7         rest 0 1 2 4 5 6
//   split_cores(physical, 2)   timed 2 3          beside 6 7       rest 0 1 4 5
//   split_cores(physical, 4)   timed 0 1 2 3      beside 4 5 6 7   rest: all, but not meanwhile
//   split_cores(physical, 5)   timed 0 1 2 3 7    beside 4 5 6     the same
//
// Timing takes the last cores, because the first ones run more of the system's own work. Hardware
// threads of a physical core share its arithmetic units and nearest caches, so timed threads go to
// different physical cores where possible, and a task on a sibling thread would change their times.
struct CoreSplit {
  std::vector<int> timed;   // ascending, like the others
  std::vector<int> beside;  // the other hardware threads of the physical cores that are timed on
  std::vector<int> rest;    // cores of the physical cores that nothing is timed on
  // No physical core is free of timing: `rest` is then all cores, which must idle during a timing.
  bool shared = false;

  friend bool operator==(const CoreSplit&, const CoreSplit&) = default;
};

// The cores that this thread may use, grouped by physical core and ordered by each group's first
// core; one group per core where the system does not tell the siblings.
std::vector<std::vector<int>> physical_cores();

// `timed`: the number of cores to time on; all of them when there are fewer.
CoreSplit split_cores(const std::vector<std::vector<int>>& physical, size_t timed);

}  // namespace dovetail
