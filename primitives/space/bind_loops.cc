// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/bind_loops.h"

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

}  // namespace dovetail
