// SPDX-License-Identifier: Apache-2.0
#include "core/memory/exact/skyline_search.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <random>

namespace dovetail {
namespace {

struct Range {
  int begin;
  int end;
};

// An undo record for backtracking.
struct Change {
  int buffer;  // -1: one section's depth was raised, from `depth`
  int side;
  int begin;  // where the old depths of its sections begin in old_
  int section;
  int64_t depth;
};

struct Choice {
  int section = -1;
  int side = 0;
  double cost = std::numeric_limits<double>::infinity();
  bool is_dead = false;
};

class SkylineSearch {
 public:
  SkylineSearch(std::span<const SkylineBuffer> buffers, int sections, int64_t capacity,
                const SkylineOptions& options, SkylineWeights& weights)
      : buffers_(buffers),
        capacity_(capacity),
        options_(options),
        depth_{std::vector<int64_t>(static_cast<size_t>(sections)),
               std::vector<int64_t>(static_cast<size_t>(sections))},
        to_come_(static_cast<size_t>(sections)),
        fits_{std::vector<int>(static_cast<size_t>(sections)),
              std::vector<int>(static_cast<size_t>(sections))},
        reach_{std::vector<int>(static_cast<size_t>(sections)),
               std::vector<int>(static_cast<size_t>(sections))},
        weight_(weights),
        base_{std::vector<int64_t>(buffers.size()), std::vector<int64_t>(buffers.size())},
        tie_(buffers.size()),
        matches_(buffers.size()),
        offsets_(buffers.size()) {
    for (size_t d = 0; d < 2; ++d) {
      fill_[d].resize(static_cast<size_t>(sections));
      bridge_[d].resize(static_cast<size_t>(sections));
    }
    for (std::vector<double>& side : weight_) side.resize(static_cast<size_t>(sections), 1);
    std::mt19937_64 random(options.seed);
    for (uint64_t& tie : tie_) tie = options.seed == 0 ? 0 : random() % 1024;
    for (const SkylineBuffer& buffer : buffers) unit_ = std::gcd(unit_, buffer.bytes);
    for (const SkylineBuffer& buffer : buffers)
      for (int s = buffer.first_section; s < buffer.end_section; ++s)
        at(to_come_, s) += buffer.bytes;
  }

  SkylineOutcome run() {
    std::vector<int> all(buffers_.size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    for (const int64_t bytes : to_come_)
      if (bytes > capacity_) return {.end = SkylineEnd::none_exists};
    if (solve_parts(all)) return {.end = SkylineEnd::found, .offsets = offsets_, .nodes = nodes_};
    return {.end = gave_up_ ? SkylineEnd::gave_up : SkylineEnd::none_exists, .nodes = nodes_};
  }

 private:
  template <typename T>
  static T& at(std::vector<T>& values, int i) {
    return values[static_cast<size_t>(i)];
  }
  const SkylineBuffer& of(int buffer) const { return buffers_[static_cast<size_t>(buffer)]; }
  int64_t slack(int s) { return capacity_ - at(depth_[0], s) - at(depth_[1], s) - at(to_come_, s); }

  // Splits at times that no lifetime crosses, and solves each part; the smallest first, as it fails
  // soonest.
  bool solve_parts(std::vector<int> buffers) {
    std::ranges::sort(buffers, {}, [&](int i) { return std::pair(of(i).first_section, i); });
    std::vector<std::vector<int>> parts;
    int end = -1;
    for (const int i : buffers) {
      if (of(i).first_section >= end) parts.emplace_back();
      end = std::max(end, of(i).end_section);
      parts.back().push_back(i);
    }
    std::ranges::stable_sort(parts, {}, &std::vector<int>::size);
    const size_t mark = trail_.size();
    for (const std::vector<int>& part : parts) {
      if (!solve(part)) {
        undo(mark);
        return false;
      }
    }
    return true;
  }

  bool is_over() {
    if (gave_up_) return true;
    ++nodes_;
    gave_up_ = nodes_ > options_.most_nodes ||
               (nodes_ % 16 == 0 && options_.is_stopped && options_.is_stopped());
    return gave_up_;
  }

  bool solve(const std::vector<int>& part) {
    if (part.empty()) return true;
    const size_t mark = trail_.size();
    while (true) {
      if (is_over()) break;
      const Choice choice = choose(part);
      if (choice.is_dead) break;
      for (const int buffer : candidates(part, choice)) {
        const size_t before = trail_.size();
        if (place(buffer, choice.side) && solve_without(part, buffer)) return true;
        undo(before);
        if (gave_up_) break;
      }
      // No candidate goes here: the section's edge moves up to the next possible position.
      if (gave_up_ || !raise(part, choice)) break;
    }
    undo(mark);
    return false;
  }

  bool solve_without(const std::vector<int>& part, int buffer) {
    std::vector<int> rest;
    rest.reserve(part.size());
    for (const int i : part)
      if (i != buffer) rest.push_back(i);
    return solve_parts(std::move(rest));
  }

  // The depth at which the buffer would be placed on one side, and whether the edge below it is
  // flat.
  std::pair<int64_t, bool> rest_on(int buffer, int side) {
    int64_t highest = 0;
    int64_t lowest = std::numeric_limits<int64_t>::max();
    for (int s = of(buffer).first_section; s < of(buffer).end_section; ++s) {
      highest = std::max(highest, at(depth_[static_cast<size_t>(side)], s));
      lowest = std::min(lowest, at(depth_[static_cast<size_t>(side)], s));
    }
    return {highest, highest == lowest};
  }

  // Counts, for each section and side, the buffers that fit at its edge (fits_; kNotYet where one
  // of them spans sections of lower depth, which must be filled first), and those that fit after
  // some waste (reach_). False: some buffer no longer fits between both sides.
  bool count_fits(const std::vector<int>& part, Range range) {
    for (auto* counts : {&fits_, &reach_})
      for (std::vector<int>& side : *counts)
        std::fill(side.begin() + range.begin, side.begin() + range.end, 0);
    for (size_t d = 0; d < 2; ++d) {
      std::fill(fill_[d].begin() + range.begin, fill_[d].begin() + range.end, 0);
      std::fill(bridge_[d].begin() + range.begin, bridge_[d].begin() + range.end, kUnlimited);
    }
    for (const int i : part) {
      for (int side = 0; side < 2; ++side) {
        const auto [base, is_flat] = rest_on(i, side);
        at(base_[static_cast<size_t>(side)], i) = base;
        count_one(i, side, base, is_flat);
      }
      if (base_[0][static_cast<size_t>(i)] + base_[1][static_cast<size_t>(i)] + of(i).bytes >
          capacity_) {
        for (int s = of(i).first_section; s < of(i).end_section; ++s) {
          at(weight_[0], s) += 0.05;
          at(weight_[1], s) += 0.05;
        }
        return false;
      }
    }
    return true;
  }

  void count_one(int i, int side, int64_t base, bool is_flat) {
    const auto d = static_cast<size_t>(side);
    for (int s = of(i).first_section; s < of(i).end_section; ++s) {
      const int64_t waste = base - at(depth_[d], s);
      if (waste == 0) at(fill_[d], s) += of(i).bytes;
      if (waste > 0) at(bridge_[d], s) = std::min(at(bridge_[d], s), waste);
      if (waste > slack(s)) continue;
      ++at(reach_[d], s);
      if (waste > 0) continue;
      int& fits = at(fits_[d], s);
      fits = is_flat ? fits + 1 : std::max(fits, kNotYet);
    }
  }

  // True where the buffers that would bridge a hollow here leave more waste than the slack and the
  // buffers that fit in it can fill.
  bool is_hollow(int s, size_t d) {
    return at(bridge_[d], s) != kUnlimited && at(bridge_[d], s) > at(fill_[d], s) + slack(s);
  }

  Choice choose(const std::vector<int>& part) {
    Range range{of(part.front()).first_section, 0};
    for (const int i : part) range.end = std::max(range.end, of(i).end_section);
    Choice best;
    if (!count_fits(part, range)) return {.is_dead = true};
    int64_t best_depth = 0;
    for (int s = range.begin; s < range.end; ++s) {
      if (at(to_come_, s) == 0) continue;
      for (int side = 0; side < 2; ++side) {
        const auto d = static_cast<size_t>(side);
        if (at(reach_[d], s) == 0 || is_hollow(s, d)) {
          ++at(weight_[d], s);
          return {.is_dead = true};
        }
        if (at(fits_[d], s) >= kNotYet) continue;
        const int options = at(fits_[d], s) + (slack(s) > 0 ? 1 : 0);
        const double cost = options <= 1 ? 0 : options / at(weight_[d], s);
        const int64_t depth = at(depth_[d], s);
        if (cost > best.cost || (cost == best.cost && depth >= best_depth)) continue;
        best = {.section = s, .side = side, .cost = cost};
        best_depth = depth;
      }
    }
    return best;
  }

  std::vector<int> candidates(const std::vector<int>& part, const Choice& choice) {
    std::vector<int> found;
    const auto d = static_cast<size_t>(choice.side);
    for (const int i : part) {
      if (of(i).first_section > choice.section || of(i).end_section <= choice.section) continue;
      if (at(base_[d], i) == at(depth_[d], choice.section)) found.push_back(i);
    }
    // Identical buffers are one choice.
    for (const int i : found) at(matches_, i) = edge_matches(i, choice.side);
    std::ranges::sort(found, std::greater<>(), [&](int i) { return rank(i); });
    const auto same = [&](int a, int b) {
      return of(a).bytes == of(b).bytes && of(a).first_section == of(b).first_section &&
             of(a).end_section == of(b).end_section;
    };
    found.erase(std::unique(found.begin(), found.end(), same), found.end());
    return found;
  }

  // How well the buffer's edges align with its neighbours: a heuristic, as alignment is seldom
  // chance.
  int edge_matches(int i, int side) {
    const std::vector<int64_t>& depth = depth_[static_cast<size_t>(side)];
    const int64_t base = at(base_[static_cast<size_t>(side)], i);
    int matches = 0;
    for (const int beside : {of(i).first_section - 1, of(i).end_section}) {
      const bool is_inside = beside >= 0 && beside < std::ssize(depth);
      const int64_t there = is_inside ? depth[static_cast<size_t>(beside)] : capacity_;
      matches += there > base ? 1 : 0;
      matches += there == base + of(i).bytes ? 2 : 0;
    }
    return matches;
  }

  // The order in which candidates are tried; each run has another one.
  std::array<int64_t, 4> rank(int i) const {
    const int64_t length = of(i).end_section - of(i).first_section;
    const int64_t bytes = of(i).bytes;
    const int64_t matches = matches_[static_cast<size_t>(i)];
    const auto tie = static_cast<int64_t>(tie_[static_cast<size_t>(i)]);
    switch (options_.seed % 4) {
      case 0: return {kMatch * matches + tie, length, bytes, -i};
      case 1: return {length, bytes, tie, -i};
      case 2: return {bytes, length, tie, -i};
      default: return {kMatch * matches, length * bytes, tie, -i};
    }
  }

  // False: a section's slack is exceeded.
  bool place(int buffer, int side) {
    const auto d = static_cast<size_t>(side);
    const SkylineBuffer& placed = of(buffer);
    const int64_t base = rest_on(buffer, side).first;
    trail_.push_back({.buffer = buffer,
                      .side = side,
                      .begin = static_cast<int>(old_.size()),
                      .section = 0,
                      .depth = 0});
    bool is_possible = true;
    for (int s = placed.first_section; s < placed.end_section; ++s) {
      old_.push_back(at(depth_[d], s));
      at(depth_[d], s) = base + placed.bytes;
      at(to_come_, s) -= placed.bytes;
      is_possible = is_possible && slack(s) >= 0;
    }
    at(offsets_, buffer) = side == 0 ? base : capacity_ - base - placed.bytes;
    return is_possible;
  }

  // Raises the section's edge to the least depth at which one of its buffers could rest if none
  // rests at the edge: on a neighbouring section, or on a buffer that is still to come. False: not
  // enough slack.
  bool raise(const std::vector<int>& part, const Choice& choice) {
    const auto d = static_cast<size_t>(choice.side);
    const int64_t depth = at(depth_[d], choice.section);
    if (slack(choice.section) <= 0) return false;
    int64_t step = std::numeric_limits<int64_t>::max();
    for (const int i : part) {
      const int64_t base = rest_on(i, choice.side).first;
      const int64_t end = base + of(i).bytes;
      step = std::min(step, end > depth ? end - depth : unit_);
      if (of(i).first_section > choice.section || of(i).end_section <= choice.section) continue;
      if (base > depth) step = std::min(step, base - depth);
    }
    if (step > slack(choice.section)) return false;
    trail_.push_back(
        {.buffer = -1, .side = choice.side, .begin = 0, .section = choice.section, .depth = depth});
    at(depth_[d], choice.section) += step;
    return true;
  }

  void undo(size_t mark) {
    while (trail_.size() > mark) {
      const Change change = trail_.back();
      trail_.pop_back();
      std::vector<int64_t>& depth = depth_[static_cast<size_t>(change.side)];
      if (change.buffer < 0) {
        at(depth, change.section) = change.depth;
        continue;
      }
      const SkylineBuffer& placed = of(change.buffer);
      for (int s = placed.first_section; s < placed.end_section; ++s) {
        at(depth, s) = old_[static_cast<size_t>(change.begin + s - placed.first_section)];
        at(to_come_, s) += placed.bytes;
      }
      old_.resize(static_cast<size_t>(change.begin));
    }
  }

  static constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();
  static constexpr int kNotYet = 1 << 20;
  static constexpr int64_t kMatch = 512;  // against ties below 1024

  const std::span<const SkylineBuffer> buffers_;
  const int64_t capacity_;
  const SkylineOptions& options_;
  int64_t unit_ = 0;                           // divides all sizes, and so all depths
  std::array<std::vector<int64_t>, 2> depth_;  // by side: bottom, top
  std::vector<int64_t> to_come_;
  std::array<std::vector<int>, 2> fits_, reach_;
  std::array<std::vector<int64_t>, 2> fill_;    // bytes of the buffers that fit at a section's edge
  std::array<std::vector<int64_t>, 2> bridge_;  // least waste of those that do not
  SkylineWeights& weight_;                      // increased where branches fail
  std::array<std::vector<int64_t>, 2> base_;
  std::vector<uint64_t> tie_;
  std::vector<int> matches_;  // edge_matches(), from the last candidates()
  std::vector<int64_t> offsets_;
  std::vector<Change> trail_;
  std::vector<int64_t> old_;
  int64_t nodes_ = 0;
  bool gave_up_ = false;
};

}  // namespace

SkylineOutcome skyline_search(std::span<const SkylineBuffer> buffers, int sections,
                              int64_t capacity, const SkylineOptions& options,
                              SkylineWeights& weights) {
  return SkylineSearch(buffers, sections, capacity, options, weights).run();
}

}  // namespace dovetail
