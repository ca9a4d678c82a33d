// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/ahead/shared_programs.h"

#include <map>
#include <string>
#include <utility>

#include "core/base/check.h"

namespace dovetail {

NetworkProgram with_programs(NetworkProgram network, const std::vector<Program>& programs) {
  CHECK(programs.size() == network.calls.size(), "each call has a program");
  network.programs.clear();
  std::map<std::string, size_t> known;  // by text
  for (size_t c = 0; c < programs.size(); ++c) {
    const auto [found, is_new] = known.try_emplace(print(programs[c]), network.programs.size());
    if (is_new) network.programs.push_back(programs[c]);
    network.calls[c].program = found->second;
  }
  return network;
}

}  // namespace dovetail
