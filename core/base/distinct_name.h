// SPDX-License-Identifier: Apache-2.0
#pragma once

// distinct_name: a name that nothing else has.
//
//   std::set<std::string> taken = {"conv1"};
//   distinct_name("conv1", taken)      conv1_2, which is taken from here on

#include <set>
#include <string>

namespace dovetail {

inline std::string distinct_name(const std::string& name, std::set<std::string>& taken) {
  std::string distinct = name;
  for (int i = 2; !taken.insert(distinct).second; ++i) distinct = name + "_" + std::to_string(i);
  return distinct;
}

}  // namespace dovetail
