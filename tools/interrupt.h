// SPDX-License-Identifier: Apache-2.0
#pragma once

// Interrupts: the first Ctrl-C asks, the second one insists.
//
//   catch_interrupts("dovetail: interrupted; continue with:\ndovetail tune …\n");
//   while (work_left() && !interrupted()) ...
//
// After the first SIGINT, SIGTERM or SIGHUP interrupted() is true, and the program ends when what
// it has in hand is saved; under nohup SIGHUP stays ignored. A second one ends it at once with exit
// code 130 and the words that it was given; records that were acknowledged are in the log already.

#include <string_view>

namespace dovetail {

void catch_interrupts(std::string_view last_words = {});  // of at most 4 kB, cut off there
bool interrupted();

}  // namespace dovetail
