// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/winograd/bands.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "primitives/divisors.h"
#include "primitives/space/moved_bytes.h"

namespace dovetail {
namespace {

constexpr int64_t kMaxBandBytes = 32 << 20;         // half of the limit of one part in workspace
constexpr int64_t kMaxConcurrentBytes = 512 << 20;  // all bands, which may run at the same time

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

ParameterId product_place(const Structure& s) { return {ParameterKind::made_at, s.output()}; }

// Whether rows split evenly into more than one band, within the limits of workspace.
bool may_be_banded(const Structure& s, const Choices& c) {
  for (const std::string& axis : s.bands)
    if (s.axis(axis).extent % register_tile(c, axis) != 0) return false;
  const int64_t bytes = band_bytes(s, c), bands = count_bands(s, c);
  return bands > 1 && bytes <= kMaxBandBytes && bytes * bands <= kMaxConcurrentBytes;
}

constexpr double kTilesOfABand = 20;

// Greater is worse: the distance from kTilesOfABand, and a penalty where a band is not contiguous.
double badness(const Structure& s, const Choices& c) {
  double tiles = 1, apart = 0;
  bool inner_is_whole = true;
  for (auto axis = s.bands.rbegin(); axis != s.bands.rend(); ++axis) {
    const int64_t band = band_extent(s, c, *axis);
    if (band > 1 && !inner_is_whole) apart += 0.1;
    inner_is_whole = inner_is_whole && band == s.axis(*axis).extent;
    tiles *= static_cast<double>(band);
  }
  return std::abs(std::log2(tiles / kTilesOfABand)) + apart;
}

// Tries the cache tiles of the axes from `from` on; `best` gets those with the least badness.
void try_bands(const Structure& s, size_t from, Choices& c, Choices& best, double& least) {
  if (from == s.bands.size()) {
    if (!may_be_banded(s, c) || badness(s, c) >= least) return;
    least = badness(s, c);
    best = c;
    return;
  }
  const std::string& axis = s.bands[from];
  for (const int64_t tiles : divisors(s.axis(axis).extent / register_tile(c, axis))) {
    c.set({ParameterKind::cache_tile, axis}, tiles);
    try_bands(s, from + 1, c, best, least);
  }
}

// Whether the parameter changes how a tensor of the product is stored along the rows of bands.
bool is_about_rows(const Structure& s, const Parameter& p) {
  switch (p.kind) {
    case ParameterKind::layout_tile:
    case ParameterKind::layout_block:
    case ParameterKind::storage: return has(s.bands, p.axis);
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

bool is_banded(const Structure& structure, const Choices& choices) {
  return !structure.bands.empty() &&
         chosen(choices, product_place(structure), kApart) == kWorkspace;
}

int64_t band_extent(const Structure& structure, const Choices& choices, const std::string& axis) {
  return std::min(structure.axis(axis).extent,
                  register_tile(choices, axis) * cache_tile(choices, axis));
}

Structure in_a_band(const Structure& structure, const Choices& choices) {
  Structure part = structure;
  part.serial = true;
  for (const std::string& axis : structure.bands)
    part.axis(axis).extent = band_extent(structure, choices, axis);
  return part;
}

int64_t band_bytes(const Structure& structure, const Choices& choices) {
  int64_t bytes =
      bytes_of(structure, structure.inputs()[0].tensor) + bytes_of(structure, structure.output());
  for (const std::string& axis : structure.bands)
    bytes = bytes / structure.axis(axis).extent * band_extent(structure, choices, axis);
  return bytes;
}

int64_t count_bands(const Structure& structure, const Choices& choices) {
  int64_t bands = 1;
  for (const std::string& axis : structure.bands)
    bands *= structure.axis(axis).extent / band_extent(structure, choices, axis);
  return bands;
}

void add_bands(const std::shared_ptr<const Structure>& structure, const Target& target,
               ParameterList& list) {
  if (structure->bands.empty() || !runs_threads(target)) return;
  std::vector<ParameterId> reads;
  for (const std::string& axis : structure->bands) {
    reads.emplace_back(ParameterKind::register_tile, axis);
    reads.emplace_back(ParameterKind::cache_tile, axis);
  }
  list.add(
      product_place(*structure), "where " + structure->output() + " and its input are made", reads,
      [s = structure](const Choices& c) {
        return may_be_banded(*s, c) ? std::vector<int64_t>{kApart, kWorkspace}
                                    : std::vector<int64_t>{kApart};
      },
      made_at_labels());
  list.add_values(ParameterKind::plane_storage, "where planes of transformed tiles stand", {0, 1},
                  {"outermost", "innermost"});
}

void keep_bands_plain(const Structure& structure, std::vector<Parameter>& parameters) {
  if (structure.bands.empty()) return;
  keep_off_where(
      product_place(structure), kWorkspace,
      [&](const Parameter& p) { return is_about_rows(structure, p) || needs_a_kernel(p.kind); },
      parameters);
}

void choose_bands(const Structure& structure, const Target& target, Choices& choices) {
  if (structure.bands.empty() || !runs_threads(target)) return;
  Choices tried = choices, best = choices;
  double least = std::numeric_limits<double>::infinity();
  try_bands(structure, 0, tried, best, least);
  if (std::isinf(least)) return;
  const int64_t moved =
      bytes_of(structure, structure.inputs()[0].tensor) + bytes_of(structure, structure.output());
  const int64_t weights = bytes_of(structure, structure.inputs()[1].tensor);
  if (round_trip_microseconds(moved, target) <=
      reread_microseconds(weights, count_bands(structure, best) - 1))
    return;
  choices = best;
  choices.set(product_place(structure), kWorkspace);
  choices.set(ParameterKind::plane_storage, 1);
  choices.set(ParameterKind::stores, 0);  // chosen for the product's own output
}

}  // namespace dovetail
