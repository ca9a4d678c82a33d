// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/winograd/bands.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "primitives/divisors.h"
#include "primitives/space/machine_facts.h"

namespace dovetail {
namespace {

constexpr int64_t kMaxBandBytes = 32 << 20;         // half of the limit of one part in workspace
constexpr int64_t kMaxConcurrentBytes = 512 << 20;  // all bands, which may run at the same time

ParameterId product_place(const WinogradPlan& plan) {
  return {ParameterKind::compute_at, plan.facts().output()};
}

// Bytes of the product's input and output, without padding.
int64_t moved_bytes(const ContractionFacts& s) {
  return bytes_of(s, s.inputs()[0].tensor) + bytes_of(s, s.output());
}

// Bytes of workspace of one band.
int64_t band_bytes(const WinogradPlan& plan, const Choices& choices) {
  int64_t bytes = moved_bytes(plan.facts());
  for (const std::string& axis : plan.bands)
    bytes = bytes / plan.facts().axis(axis).extent * band_extent(plan, choices, axis);
  return bytes;
}

int64_t count_bands(const WinogradPlan& plan, const Choices& choices) {
  int64_t bands = 1;
  for (const std::string& axis : plan.bands)
    bands *= plan.facts().axis(axis).extent / band_extent(plan, choices, axis);
  return bands;
}

// Whether rows split evenly into more than one band, within the limits of workspace.
bool may_be_banded(const WinogradPlan& plan, const Choices& c) {
  for (const std::string& axis : plan.bands)
    if (plan.facts().axis(axis).extent % register_tile(c, axis) != 0) return false;
  const int64_t bytes = band_bytes(plan, c), bands = count_bands(plan, c);
  return bands > 1 && bytes <= kMaxBandBytes && bytes * bands <= kMaxConcurrentBytes;
}

// Greater is worse: the distance from kTilesOfABand, and a penalty where a band is not contiguous.
double badness(const WinogradPlan& plan, const Choices& c) {
  double tiles = 1, apart = 0;
  bool inner_is_whole = true;
  for (auto axis = plan.bands.rbegin(); axis != plan.bands.rend(); ++axis) {
    const int64_t band = band_extent(plan, c, *axis);
    if (band > 1 && !inner_is_whole) apart += 0.1;
    inner_is_whole = inner_is_whole && band == plan.facts().axis(*axis).extent;
    tiles *= static_cast<double>(band);
  }
  return std::abs(std::log2(tiles / kTilesOfABand)) + apart;
}

// Tries the cache tiles of the axes from `from` on; `best` gets those with the least badness.
void try_bands(const WinogradPlan& plan, size_t from, Choices& c, Choices& best, double& least) {
  if (from == plan.bands.size()) {
    if (!may_be_banded(plan, c) || badness(plan, c) >= least) return;
    least = badness(plan, c);
    best = c;
    return;
  }
  const std::string& axis = plan.bands[from];
  for (const int64_t tiles : divisors(plan.facts().axis(axis).extent / register_tile(c, axis))) {
    c.set({ParameterKind::cache_tile, axis}, tiles);
    try_bands(plan, from + 1, c, best, least);
  }
}

// Whether the parameter changes how a tensor of the product is stored along the rows of bands.
bool is_about_rows(const WinogradPlan& plan, const Parameter& p) {
  switch (p.kind) {
    case ParameterKind::layout_tile:
    case ParameterKind::layout_block:
    case ParameterKind::storage: return std::ranges::count(plan.bands, p.axis) > 0;
    default: return false;
  }
}

bool needs_a_kernel(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::cache_read:
    case ParameterKind::pad_at:
    case ParameterKind::rfactor:
    case ParameterKind::fuse: return true;
    default: return false;
  }
}

}  // namespace

bool is_banded(const WinogradPlan& plan, const Choices& choices) {
  return !plan.bands.empty() && chosen(choices, product_place(plan), kApart) == kWorkspace;
}

int64_t band_extent(const WinogradPlan& plan, const Choices& choices, const std::string& axis) {
  return std::min(plan.facts().axis(axis).extent,
                  register_tile(choices, axis) * cache_tile(choices, axis));
}

ContractionPlan in_a_band(const WinogradPlan& plan, const Choices& choices) {
  ContractionPlan part = plan.product;
  std::map<std::string, int64_t> extents;
  for (const std::string& axis : plan.bands) extents[axis] = band_extent(plan, choices, axis);
  part.facts = in_part(std::move(part.facts), extents);
  part.serial = true;
  return part;
}

void add_bands(const std::shared_ptr<const WinogradPlan>& plan, ParameterList& list) {
  if (plan->bands.empty()) return;
  list.add(
      product_place(*plan), "where " + plan->facts().output() + " and its input are made",
      tiles_of(plan->bands),
      [plan](const Choices& c) {
        return may_be_banded(*plan, c) ? std::vector<int64_t>{kApart, kWorkspace}
                                       : std::vector<int64_t>{kApart};
      },
      compute_place_labels());
  list.add_values(ParameterKind::plane_storage, "where planes of transformed tiles stand", {0, 1},
                  {"outermost", "innermost"});
}

void keep_bands_row_major(const WinogradPlan& plan, std::vector<Parameter>& parameters) {
  if (plan.bands.empty()) return;
  keep_off_where(
      product_place(plan), kWorkspace,
      [&](const Parameter& p) { return is_about_rows(plan, p) || needs_a_kernel(p.kind); },
      parameters);
}

void choose_bands(const WinogradPlan& plan, const Target& target, Choices& choices) {
  if (plan.bands.empty()) return;
  const ContractionFacts& s = plan.facts();
  Choices tried = choices, best = choices;
  double least = std::numeric_limits<double>::infinity();
  try_bands(plan, 0, tried, best, least);
  if (std::isinf(least)) return;
  const int64_t weights = bytes_of(s, s.inputs()[1].tensor);
  if (round_trip_microseconds(moved_bytes(s), target) <=
      reread_microseconds(weights, count_bands(plan, best) - 1))
    return;
  choices = best;
  choices.set(product_place(plan), kWorkspace);
  choices.set(ParameterKind::plane_storage, 1);
  choices.set(ParameterKind::stores, 0);  // chosen for the product's own output
}

}  // namespace dovetail
