// SPDX-License-Identifier: Apache-2.0
#pragma once

// Interrupts: the first Ctrl-C asks, the second one insists.
//
//   catch_interrupts();
//   while (work_left() && !interrupted()) ...
//
// After the first SIGINT or SIGTERM interrupted() is true, and the program ends when what it has in
// hand is saved. A second one ends it at once with exit code 130; records that were acknowledged
// are in the log already.

namespace dovetail {

void catch_interrupts();
bool interrupted();

}  // namespace dovetail
