// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/shared_loops.h"

#include <utility>

#include "primitives/divisors.h"
#include "primitives/layout/axis_primitives.h"

namespace dovetail {

std::vector<std::string> bind_loops(std::vector<std::string> loops, ThreadAxis innermost,
                                    std::vector<LoopPrimitive>& list) {
  while (loops.size() > 3) {
    list.emplace_back(loop::Fuse{loops[0], loops[1]});
    loops[1] = fused_name(loops[0], loops[1]);
    loops.erase(loops.begin());
  }
  for (size_t k = 0; k < loops.size(); ++k)
    list.emplace_back(loop::Bind{
        loops[k], static_cast<ThreadAxis>(static_cast<size_t>(innermost) + loops.size() - 1 - k)});
  return loops;
}

ParallelChunks parallel_chunks(std::vector<std::string> loops, int64_t rounds, int64_t threads) {
  const int64_t parts = least_divisor(rounds, threads);
  if (parts == rounds) return {.split = {}, .loops = std::move(loops)};
  const std::string whole = loops[0];
  loops[0] = whole + ".1";
  loops.insert(loops.begin(), whole + ".0");
  return {.split = loop::Split{whole, rounds / parts}, .loops = std::move(loops)};
}

}  // namespace dovetail
