// SPDX-License-Identifier: Apache-2.0
#include "deploy/layouts/limited_layouts.h"

#include <cmath>

#include "deploy/network/region_forms.h"

namespace dovetail {
namespace {

constexpr double kLeastPrice = 1e-15, kMostPrice = 1e6;  // a byte, in seconds or counts
constexpr double kStep = 8;
constexpr int kHalvings = 16;
constexpr double kForbidden = 1e30;  // more than any price times bytes

int64_t activation_bytes(const Partition& parts, size_t node) {
  const NodeRegion& region = parts.regions[node];
  int64_t bytes = 0;
  for (const auto* tensors : {&region.given, &region.made})
    for (const auto& [name, id] : *tensors)
      if (!parts.graph.tensors[static_cast<size_t>(id)].constant)
        bytes += bytes_in(parts.graph, id);
  return bytes;
}

}  // namespace

int64_t constant_bytes(const LayoutAlternatives& alternatives, const std::vector<size_t>& picked) {
  int64_t bytes = 0;
  for (size_t node = 0; node < picked.size(); ++node)
    bytes += alternatives.nodes[node][picked[node]].constant_bytes;
  return bytes;
}

LimitedChoice choose_within(const Partition& parts, const LayoutAlternatives& alternatives,
                            const LayoutCosts& costs, const MemoryShares& most) {
  std::vector<int64_t> activations;  // the same at each price
  for (size_t node = 0; node < parts.regions.size(); ++node)
    activations.push_back(activation_bytes(parts, node));
  const auto needs_too_much = [&](size_t node, const LayoutAlternative& own) {
    return own.temporary_bytes > 0 && own.temporary_bytes + activations[node] > most.temporaries;
  };
  const auto at_price = [&](double price, double forbidden = kForbidden) {
    LayoutCosts priced = costs;
    priced.region = [&](size_t node, const LayoutAlternative& own) {
      return costs.region(node, own) + price * static_cast<double>(own.constant_bytes) +
             (needs_too_much(node, own) ? forbidden : 0);
    };
    return choose_layouts(parts, alternatives, priced);
  };
  const auto fits = [&](const LayoutChoice& choice) {
    return choice.cost < kForbidden &&
           constant_bytes(alternatives, choice.picked) <= most.constants;
  };
  LayoutChoice best = at_price(0);
  if (fits(best)) return {.choice = std::move(best)};
  double high = kLeastPrice;
  while (!fits(best = at_price(high))) {
    if (high > kMostPrice) return {.choice = at_price(kMostPrice, /*forbidden=*/0), .fits = false};
    high *= kStep;
  }
  double low = high / kStep;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = std::sqrt(low * high);
    LayoutChoice choice = at_price(middle);
    if (!fits(choice)) {
      low = middle;
      continue;
    }
    high = middle;
    best = std::move(choice);
  }
  return {.choice = std::move(best)};
}

}  // namespace dovetail
