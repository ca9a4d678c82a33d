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

#include <vector>

namespace dovetail {

// Ascending, at least one.
std::vector<int> allowed_cores();
// False when the system refuses.
bool pin_calling_thread(const std::vector<int>& cores);

}  // namespace dovetail
