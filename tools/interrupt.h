// SPDX-License-Identifier: Apache-2.0
#pragma once

// Interrupts: the first Ctrl-C asks, the second one insists.
//
//   catch_interrupts("dovetail: interrupted; continue with:\ndovetail tune …\n");
//   while (work_left() && !interrupted()) ...
//
// After the first SIGINT, SIGTERM or SIGHUP interrupted() is true, and the program ends once its
// work in progress is saved; under nohup SIGHUP stays ignored. A second one prints `last_words` and
// ends it at once with exit code 130; records that were acknowledged are in the log already.

#include <string_view>

namespace dovetail {

void catch_interrupts(std::string_view last_words = {});  // cut off at 4 kB
bool interrupted();

}  // namespace dovetail
