// SPDX-License-Identifier: Apache-2.0
#include "costmodel/features/cache_traffic.h"

#include <algorithm>

namespace dovetail {
namespace {

// The traffic of one execution of the loop.
double traffic(const ProgramFacts& facts, int id, double cache_bytes) {
  const LoopFacts& loop = facts.loops[static_cast<size_t>(id)];
  if (loop.body_bytes <= cache_bytes || loop.children.empty()) return loop.total_bytes;
  double bytes = loop.direct_bytes;
  for (const int child : loop.children) bytes += traffic(facts, child, cache_bytes);
  return std::max(loop.total_bytes, bytes * loop.iterations);
}

}  // namespace

double cache_traffic_bytes(const ProgramFacts& facts, double cache_bytes) {
  if (facts.touched_bytes <= cache_bytes) return 0;
  double bytes = 0;
  for (const int root : facts.roots) bytes += traffic(facts, root, cache_bytes);
  return bytes;
}

}  // namespace dovetail
