// SPDX-License-Identifier: Apache-2.0
#pragma once

// Cores: which of the machine's this thread may use, and how to change that.
//
//   allowed_cores()              {0, 1, 2, 3}
//   pin_calling_thread({2, 3})   the thread, and those that it starts from now on, run there
//   allowed_cores()              {2, 3}
//
// Not std::thread::hardware_concurrency(): beside a runner, the tuner is kept off the cores that
// time candidates, and its threads must not be more than what is left for them.

#include <cstddef>
#include <vector>

namespace dovetail {

// Ascending, at least one.
std::vector<int> allowed_cores();
// False when the system refuses.
bool pin_calling_thread(const std::vector<int>& cores);

// CoreSplit: which cores time candidates, and which are left to everything else.
//
//   four physical cores of two hardware threads each: {0, 4} {1, 5} {2, 6} {3, 7}
//   split_cores(physical, 1)   timed 3            beside 7         rest 0 1 2 4 5 6
//   split_cores(physical, 2)   timed 2 3          beside 6 7       rest 0 1 4 5
//   split_cores(physical, 4)   timed 0 1 2 3      beside 4 5 6 7   rest: all, but not meanwhile
//   split_cores(physical, 5)   timed 0 1 2 3 7    beside 4 5 6     the same
//
// The last cores are timed on: the first ones have more of the system's own work. The hardware
// threads of a physical core share its arithmetic units and its nearest caches: a kernel is timed
// on as many physical cores as there are, and what runs on a thread beside it changes its time.
struct CoreSplit {
  std::vector<int> timed;   // ascending, like the others
  std::vector<int> beside;  // the other hardware threads of the physical cores that are timed on
  std::vector<int> rest;    // of physical cores that nothing is timed on
  // There is no such core: `rest` is all of them, and must be idle while a candidate is timed.
  bool shared = false;

  friend bool operator==(const CoreSplit&, const CoreSplit&) = default;
};

// The cores that this thread may use, by physical core, in the order of their first ones; each
// alone where the system does not say which belong together.
std::vector<std::vector<int>> physical_cores();

// All are timed on when `timed` is more than there are.
CoreSplit split_cores(const std::vector<std::vector<int>>& physical, size_t timed);

}  // namespace dovetail
