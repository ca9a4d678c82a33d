// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/prefetch/shared_programs.h"

#include <map>
#include <string>
#include <utility>

#include "core/base/check.h"

namespace dovetail {

NetworkProgram with_programs(NetworkProgram network, std::vector<std::optional<Program>> others) {
  CHECK(others.size() == network.calls.size(), "each call is asked for");
  std::vector<Program> programs;
  std::map<std::string, size_t> known;  // replacements, by text
  std::map<size_t, size_t> kept;        // programs that stay, by old number
  for (size_t c = 0; c < others.size(); ++c) {
    size_t& program = network.calls[c].program;
    const size_t next = programs.size();
    const size_t number = others[c] ? known.try_emplace(print(*others[c]), next).first->second
                                    : kept.try_emplace(program, next).first->second;
    if (number == next)
      programs.push_back(others[c] ? *std::move(others[c]) : std::move(network.programs[program]));
    program = number;
  }
  network.programs = std::move(programs);
  return network;
}

bool can_ask(const Loop& loop) {
  return (loop.kind == LoopKind::serial || loop.kind == LoopKind::parallel) && !loop.at;
}

}  // namespace dovetail
