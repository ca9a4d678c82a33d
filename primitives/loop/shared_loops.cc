// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/shared_loops.h"

#include <algorithm>
#include <array>
#include <utility>

#include "primitives/divisors.h"
#include "primitives/layout/axis_primitives.h"

namespace dovetail {
namespace {

constexpr size_t kNumAxes = 3;

void fuse_outermost(std::vector<std::string>& loops, std::vector<LoopPrimitive>& list) {
  list.emplace_back(loop::Fuse{loops[0], loops[1]});
  loops[1] = fused_name(loops[0], loops[1]);
  loops.erase(loops.begin());
}

// The axis of each loop, innermost first; nullopt: they fit in no order.
std::optional<std::array<size_t, kNumAxes>> axes_that_fit(const std::vector<std::string>& loops,
                                                          const LoopExtents& extents,
                                                          const Target& target) {
  if (loops.size() > kNumAxes) return std::nullopt;
  std::array<size_t, kNumAxes> axes{0, 1, 2};
  const auto fits = [&] {
    for (size_t k = 0; k < loops.size(); ++k)
      if (extents.at(loops[loops.size() - 1 - k]) > max_work_items(target, axes[k])) return false;
    return true;
  };
  do {
    if (fits()) return axes;
  } while (std::ranges::next_permutation(axes).found);
  return std::nullopt;
}

}  // namespace

std::vector<std::string> bind_loops(std::vector<std::string> loops, ThreadAxis innermost,
                                    std::vector<LoopPrimitive>& list) {
  while (loops.size() > kNumAxes) fuse_outermost(loops, list);
  for (size_t k = 0; k < loops.size(); ++k)
    list.emplace_back(loop::Bind{
        loops[k], static_cast<ThreadAxis>(static_cast<size_t>(innermost) + loops.size() - 1 - k)});
  return loops;
}

std::vector<std::string> bind_items(std::vector<std::string> loops, LoopExtents extents,
                                    const Target& target, std::vector<LoopPrimitive>& list) {
  auto axes = axes_that_fit(loops, extents, target);
  for (; !axes && loops.size() > 1; axes = axes_that_fit(loops, extents, target)) {
    const int64_t both = extents.at(loops[0]) * extents.at(loops[1]);
    fuse_outermost(loops, list);
    extents[loops[0]] = both;
  }
  for (size_t k = 0; k < loops.size(); ++k) {
    const size_t inside = loops.size() - 1 - k, axis = axes ? (*axes)[inside] : inside;
    list.emplace_back(loop::Bind{
        loops[k], static_cast<ThreadAxis>(static_cast<size_t>(ThreadAxis::thread_0) + axis)});
  }
  return loops;
}

bool fuses_items(const std::vector<std::string>& loops, const LoopExtents& extents,
                 const Target& target) {
  return loops.size() > 1 && !axes_that_fit(loops, extents, target);
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
