// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/alternatives/half_vectors.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "primitives/divisors.h"

namespace dovetail {
namespace {

// Processors, by LLVM's names, that split 512-bit operations or join two pipes for them.
constexpr std::array<std::string_view, 5> kSplitting = {"znver4", "cannonlake", "icelake-client",
                                                        "tigerlake", "rocketlake"};

// Elements computed in whole vectors, divided by those computed in half ones.
double saved(const Structure& whole, const Target& target) {
  const int64_t extent = whole.axis(whole.vector_axis).extent, lanes = target.vector_lanes;
  return static_cast<double>(round_up(extent, lanes)) /
         static_cast<double>(round_up(extent, lanes / 2));
}

}  // namespace

std::optional<Target> half_vector_target(const Structure& whole, const Target& target) {
  if (!runs_threads(target) || target.vector_lanes < 16) return std::nullopt;
  if (whole.vector_axis.empty() || whole.lanes < target.vector_lanes) return std::nullopt;
  if (whole.axis(whole.vector_axis).kind == AxisClass::row) return std::nullopt;
  if (saved(whole, target) < 1.05) return std::nullopt;
  Target half = target;
  half.vector_lanes /= 2;
  return half;
}

bool halves_are_faster(const Structure& whole, const Target& target) {
  if (!half_vector_target(whole, target)) return false;
  // Shared channels are in X, too: whole vectors would need a padded copy of it.
  const bool pads_input = whole.axis(whole.vector_axis).kind == AxisClass::shared;
  return saved(whole, target) >= (pads_input ? 1.1 : 1.15) &&
         std::ranges::find(kSplitting, target.llvm_cpu) != kSplitting.end();
}

}  // namespace dovetail
