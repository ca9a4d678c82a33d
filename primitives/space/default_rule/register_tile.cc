// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/default_rule/register_tile.h"

#include <algorithm>
#include <cmath>

#include "primitives/divisors.h"
#include "primitives/space/contraction/contraction_plan.h"
#include "primitives/space/machine_facts.h"

namespace dovetail {
namespace {

double used_share(int64_t extent, int64_t tile) {
  return static_cast<double>(extent) / static_cast<double>(round_up(extent, tile));
}

class TileSearch {
 public:
  explicit TileSearch(const ProductTraits& traits)
      : traits_(traits),
        s_(traits.s),
        target_(traits.target),
        rows_(traits.rows),
        figures_(tile_figures(target_)),
        fed_weights_(cache_shares(target_).fed_weights),
        most_(max_accumulators(target_)) {}

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
      if (RegisterTile{tile.phases, 1, {}}.accumulators() <= most_ / 2) visit_phases(tile);
      tile.phases.pop_back();
    }
  }

  void visit_vectors(RegisterTile& tile) {
    if (s_.vector_axis.empty()) return visit_rows(tile);
    // Half vectors are chosen to divide the channels, so three of them are allowed.
    const bool halves = traits_.plan.max_vectors > 4;
    // Additions of pairs broadcast X from memory themselves. A broadcast shared by several vectors
    // would occupy the adders, unless loads broadcast.
    const int64_t most = traits_.repeats_group      ? 1
                         : traits_.shares_vectors() ? 2
                                                    : traits_.plan.max_vectors;
    const bool three = halves || may_be_three() || traits_.shares_group;
    for (int64_t r : register_sizes(traits_.plan, s_.vector_axis)) {
      tile.vectors = r / s_.lanes;
      if (tile.vectors <= most && (tile.vectors != 3 || three)) visit_rows(tile);
    }
  }

  void visit_rows(RegisterTile& tile) {
    const size_t at = tile.rows.size();
    if (at == rows_.size()) {
      const double s = score(tile);
      if (s > best_score_) best_score_ = s, best_ = tile;
      return;
    }
    for (int64_t r : register_sizes(traits_.plan, rows_[at])) {
      if (at == 2 && r != 1 && r != 2 && r != 4) continue;
      tile.rows.push_back(r);
      if (tile.accumulators() <= most_) visit_rows(tile);
      tile.rows.pop_back();
    }
  }

  double score(const RegisterTile& tile) const {
    const auto acc = static_cast<double>(tile.accumulators());
    double rows = acc / static_cast<double>(tile.vectors);
    const bool is_three = tile.vectors == 3 && may_be_three();
    if (tile.accumulators() + beside_sums(tile) > target_.vector_registers - (is_three ? 0 : 1))
      return 0;
    double use = s_.vector_axis.empty()
                     ? 1
                     : used_share(s_.axis(s_.vector_axis).extent, tile.vectors * s_.lanes);
    double cut_short = 1;
    for (size_t r = 0; r < rows_.size(); ++r)
      (ends(rows_[r]) ? cut_short : use) *= used_share(s_.axis(rows_[r]).extent, tile.rows[r]);
    if (use < 1) use *= share_without_copies();
    use *= cut_short;
    const bool shared = traits_.shares_vectors();
    const double hidden = shared ? figures_.hiding_shared_sums : figures_.hiding_sums;
    double result = use * std::min(1.0, acc / hidden) / std::max(1.0, loads(tile) + 0.37) *
                    (1 - 0.004 * std::abs(acc - hidden - (shared ? 0 : 3)));
    for (size_t r = 1; r < tile.rows.size(); ++r)
      result *= tile.rows[r] > 1 ? (shared ? 0.95 : 0.98) : 1;
    for (int64_t p : tile.phases) {
      result *= p > 1 ? 0.97 : 1;
      rows /= static_cast<double>(p);
    }
    if (traits_.shares_group)
      result *= fed_share(tile, rows);
    else if (traits_.weight_bytes() > target_.l2_bytes)
      result *= 1 - 0.3 / rows;
    if (is_three) result *= figures_.share_of_three;
    if (traits_.is_memory_bound() && tile.vectors * s_.lanes >= s_.axis(s_.vector_axis).extent)
      result *= 1.2;
    return result + (tile.rows.empty() ? 0 : 0.0005 * static_cast<double>(tile.rows[0]));
  }

  bool may_be_three() const { return figures_.fits_three_vectors && !traits_.plan.group; }

  // Registers beside the sums: weights and a value of X; with pairs that share values, two weights
  // of each vector, the values of a group and their sums.
  int64_t beside_sums(const RegisterTile& tile) const {
    if (!traits_.plan.group || tile.vectors == 1) return tile.vectors + 1;
    return 2 * tile.vectors + 4;
  }

  double fed_share(const RegisterTile& tile, double rows) const {
    if (traits_.panel_bytes(tile.vectors) <= fed_weights_) return 1;
    return 1 - kWaits * std::max(0.0, 1 / rows - 1 / kFedRows);
  }

  bool ends(const std::string& axis) const {
    return s_.axis(axis).merged || s_.axis(axis).tail == AxisTail::cut_untiled;
  }

  double share_without_copies() const {
    return terms_of(s_) / (terms_of(s_) + figures_.copy_terms);
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
  const ContractionFacts& s_;
  const Target& target_;
  const std::vector<std::string>& rows_;
  const TileFigures figures_;
  const double fed_weights_;
  const int64_t most_;
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
