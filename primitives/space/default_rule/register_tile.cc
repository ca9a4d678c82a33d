// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/default_rule/register_tile.h"

#include <algorithm>
#include <cmath>

#include "primitives/divisors.h"
#include "primitives/space/parameters.h"

namespace dovetail {
namespace {

double used_share(int64_t extent, int64_t tile) {
  return static_cast<double>(extent) / static_cast<double>(round_up(extent, tile));
}

class TileSearch {
 public:
  explicit TileSearch(const ProductTraits& traits)
      : traits_(traits), s_(traits.s), target_(traits.target), rows_(traits.rows) {}

  RegisterTile best() {
    RegisterTile tile;
    visit_phases(tile);
    return best_;
  }

 private:
  void visit_phases(RegisterTile& tile) {
    if (tile.phases.size() == s_.phased.size()) return visit_vectors(tile);
    for (int64_t p : {int64_t{1}, s_.axis(s_.phased[tile.phases.size()]).phases}) {
      tile.phases.push_back(p);
      if (RegisterTile{tile.phases, 1, {}}.accumulators() <= s_.max_accumulators / 2)
        visit_phases(tile);
      tile.phases.pop_back();
    }
  }

  void visit_vectors(RegisterTile& tile) {
    if (s_.vector_axis.empty()) return visit_rows(tile);
    for (int64_t r : register_sizes(s_, s_.vector_axis)) {
      tile.vectors = r / s_.lanes;
      // Half vectors are chosen to divide the channels, so three of them are allowed.
      const bool halves = s_.max_vectors > 4;
      // Additions of pairs broadcast X from memory themselves. A broadcast shared by several
      // vectors would occupy the adders, unless loads broadcast.
      const int64_t most = s_.pairs && !traits_.pairs_share_values() ? 1
                           : traits_.shares_vectors()                ? 2
                                                                     : s_.max_vectors;
      const bool may_be_three = halves || has_few_registers() || traits_.pairs_share_values();
      if (tile.vectors <= most && (tile.vectors != 3 || may_be_three)) visit_rows(tile);
    }
  }

  void visit_rows(RegisterTile& tile) {
    const size_t at = tile.rows.size();
    if (at == rows_.size()) {
      const double s = score(tile);
      if (s > best_score_) best_score_ = s, best_ = tile;
      return;
    }
    for (int64_t r : register_sizes(s_, rows_[at])) {
      if (at == 2 && r != 1 && r != 2 && r != 4) continue;
      tile.rows.push_back(r);
      if (tile.accumulators() <= s_.max_accumulators) visit_rows(tile);
      tile.rows.pop_back();
    }
  }

  double score(const RegisterTile& tile) const {
    const auto acc = static_cast<double>(tile.accumulators());
    double rows = acc / static_cast<double>(tile.vectors);
    const bool is_three = tile.vectors == 3 && has_few_registers();
    if (tile.accumulators() + beside_sums(tile) > target_.vector_registers - (is_three ? 0 : 1))
      return 0;
    double use = s_.vector_axis.empty()
                     ? 1
                     : used_share(s_.axis(s_.vector_axis).extent, tile.vectors * s_.lanes);
    double cut_short = 1;
    for (size_t r = 0; r < rows_.size(); ++r)
      (ends(rows_[r]) ? cut_short : use) *= used_share(s_.axis(rows_[r]).extent, tile.rows[r]);
    if (use < 1 && target_.vector_registers < 32) use *= without_copies();
    use *= cut_short;
    const bool shared = traits_.shares_vectors();
    const double hidden = sums_that_hide_latency(shared);
    double result = use * std::min(1.0, acc / hidden) / std::max(1.0, loads(tile) + 0.37) *
                    (1 - 0.004 * std::abs(acc - hidden - (shared ? 0 : 3)));
    for (size_t r = 1; r < tile.rows.size(); ++r)
      result *= tile.rows[r] > 1 ? (shared ? 0.95 : 0.98) : 1;
    for (int64_t p : tile.phases) {
      result *= p > 1 ? 0.97 : 1;
      rows /= static_cast<double>(p);
    }
    if (traits_.pairs_share_values())
      result *= fed_share(tile, rows);
    else if (traits_.weight_bytes() > target_.l2_bytes)
      result *= 1 - 0.3 / rows;
    if (is_three) result *= kOtherBlocks;
    if (traits_.is_stream() && tile.vectors * s_.lanes >= s_.axis(s_.vector_axis).extent)
      result *= 1.2;
    return result + (tile.rows.empty() ? 0 : 0.0005 * static_cast<double>(tile.rows[0]));
  }

  // On a CPU three vectors by four rows use all of 16. Where rows are few, as in images of 7 x 7,
  // no other tile hides the latency (c2d:ci=512,co=512,h=7,w=7,k=3 on a Zen 3: 3.2 ms against 4.1
  // with two by four); but its blocks of 8 channels are not its neighbours', which convert them.
  bool has_few_registers() const {
    return traits_.on_threads() && target_.vector_registers <= 16 && !s_.pairs;
  }
  static constexpr double kOtherBlocks = 0.8;

  // Registers beside the sums: weights and a value of X; with pairs that share values, two weights
  // of each vector, the values of a group and their sums.
  int64_t beside_sums(const RegisterTile& tile) const {
    if (!s_.pairs || tile.vectors == 1) return tile.vectors + 1;
    return 2 * tile.vectors + 4;
  }

  // Weights of a tile that exceed L1 come from L2 once per tile, at some 20 bytes a cycle: tiles of
  // few rows wait for them (128 x 3072 by 3072 x 768 on a Zen 5: 1.95 ms with 8 rows, 2.15 with 6,
  // 2.30 with 5, 2.65 with 4).
  double fed_share(const RegisterTile& tile, double rows) const {
    constexpr double kWaits = 2.2, kFed = 7.3;
    if (traits_.panel_bytes(tile.vectors) <= static_cast<double>(target_.l1_bytes) / 2) return 1;
    return 1 - kWaits * std::max(0.0, 1 / rows - 1 / kFed);
  }

  bool ends(const std::string& axis) const { return s_.axis(axis).merged || s_.axis(axis).ends; }

  // A Zen 3 has 4 cycles of latency and 2 multiply-adds a cycle; with just 8 sums 14x14 images ran
  // at 65 % of its peak, with 10 at 95 %. GPUs hide latency by other work-items.
  double sums_that_hide_latency(bool shared) const {
    if (target_.vector_registers >= 32) return shared ? 7 : 12;
    if (shared) return 4;
    return traits_.on_threads() ? 10 : 8;
  }

  // Penalty of padded rows or columns: a copy crops them for the consumer, at the cost of some 12
  // multiply-adds per element.
  double without_copies() const {
    if (!traits_.on_threads()) return 0.9;
    return terms_of(s_) / (terms_of(s_) + 12);
  }

  // Input values loaded per multiply-add.
  double loads(const RegisterTile& tile) const {
    if (traits_.shares_vectors()) return 0.5;
    double values = 0;
    for (const Access& access : s_.inputs()) {
      const auto reads = [&](const std::string& axis) { return access_has(access, axis); };
      double product = reads(s_.vector_axis) ? static_cast<double>(tile.vectors) : 1;
      for (size_t r = 0; r < rows_.size(); ++r)
        if (reads(rows_[r])) product *= static_cast<double>(tile.rows[r]);
      // The phases of a tile share values of X, but not of W.
      for (size_t p = 0; p < tile.phases.size() && !reads(s_.phased[p]); ++p)
        product *= static_cast<double>(tile.phases[p]);
      values += product;
    }
    return values / static_cast<double>(tile.accumulators());
  }

  const ProductTraits& traits_;
  const Structure& s_;
  const Target& target_;
  const std::vector<std::string>& rows_;
  RegisterTile best_;
  double best_score_ = -1;
};

}  // namespace

int64_t RegisterTile::accumulators() const {
  int64_t product = vectors;
  for (int64_t r : rows) product *= r;
  for (int64_t p : phases) product *= p;
  return product;
}

RegisterTile best_tile(const ProductTraits& traits) { return TileSearch(traits).best(); }

}  // namespace dovetail
