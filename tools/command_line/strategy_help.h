// SPDX-License-Identifier: Apache-2.0
#pragma once

// The strategies and their options as `tune --help` lists them:
//
//   strategies:
//     random          every parameter evenly from its domain
//     annealing       walks that accept worse candidates ever less often (AutoTVM)
//       chains=4        walks side by side

#include <string>

namespace dovetail {

std::string strategy_help();

}  // namespace dovetail
