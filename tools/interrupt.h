// SPDX-License-Identifier: Apache-2.0
#pragma once

// Interrupts: the first Ctrl-C asks, the second one insists.
//
//   catch_interrupts("dovetail tune … --resume");
//   while (work_left() && !interrupted()) ...
//
// After the first SIGINT, SIGTERM or SIGHUP interrupted() is true, and the program ends once its
// work in progress is saved; under nohup SIGHUP stays ignored. A second one ends it at once with
// exit code 130, and prints the command that continues; records that were acknowledged are in the
// log already.

#include <string_view>

namespace dovetail {

// Without a command, a second interrupt says nothing. Cut off at 4 kB.
void catch_interrupts(std::string_view command = {});
bool interrupted();

}  // namespace dovetail
