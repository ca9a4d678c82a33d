// SPDX-License-Identifier: Apache-2.0
//
// Counting: Σ over the points of a product of domains, without visiting the points. Once the
// leading parameters (the register tiles and the unrolling, which limit each other) are fixed, the
// others fall into groups that do not read one another; the count is the product of the groups'
// counts, and a group's count depends only on the few leading values that it reads: remembered by
// those.
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "primitives/space/space.h"

namespace dovetail {
namespace {

struct Group {
  std::vector<size_t> members;  // parameters, ascending
  std::vector<size_t> reads;    // leading parameters that they depend on
  std::map<std::vector<int64_t>, double> known;
};

class Counter {
 public:
  explicit Counter(const std::vector<Parameter>& parameters) : parameters_(parameters) {
    while (leading_ < parameters.size() && (parameters[leading_].name.starts_with("phase.") ||
                                            parameters[leading_].name.starts_with("R.") ||
                                            parameters[leading_].name.starts_with("U.") ||
                                            parameters[leading_].name.starts_with("unroll."))) {
      ++leading_;
    }
    make_groups();
    point_.resize(parameters.size());
  }

  // Nothing when some group has too many points to walk through.
  std::optional<double> count() {
    const double total = count_leading(0);
    if (visits_ > kMaxVisits) return std::nullopt;
    return total;
  }

 private:
  void make_groups() {
    std::vector<size_t> root(parameters_.size());
    std::iota(root.begin(), root.end(), size_t{0});
    const auto find = [&](size_t k) {
      while (root[k] != k) k = root[k];
      return k;
    };
    for (size_t k = leading_; k < parameters_.size(); ++k) {
      for (size_t d : parameters_[k].depends_on) {
        if (d >= leading_) root[find(k)] = find(d);
      }
    }
    std::map<size_t, Group> groups;
    for (size_t k = leading_; k < parameters_.size(); ++k) {
      Group& group = groups[find(k)];
      group.members.push_back(k);
      for (size_t d : parameters_[k].depends_on) {
        if (d < leading_) group.reads.push_back(d);
      }
    }
    for (auto& [_, group] : groups) {
      std::sort(group.reads.begin(), group.reads.end());
      group.reads.erase(std::unique(group.reads.begin(), group.reads.end()), group.reads.end());
      groups_.push_back(std::move(group));
    }
  }

  std::vector<int64_t> domain(size_t k) const {
    // A domain may only look at what it declared; other entries are whatever was there before.
    return parameters_[k].domain(point_);
  }

  double count_leading(size_t k) {
    if (++visits_ > kMaxVisits) return 0;
    if (k == leading_) {
      double product = 1;
      for (Group& group : groups_) product *= count_group(group);
      return product;
    }
    double total = 0;
    for (int64_t value : domain(k)) {
      point_[k] = value;
      total += count_leading(k + 1);
    }
    return total;
  }

  double count_group(Group& group) {
    std::vector<int64_t> key;
    for (size_t d : group.reads) key.push_back(point_[d]);
    const auto it = group.known.find(key);
    if (it != group.known.end()) return it->second;
    return group.known[key] = count_members(group, 0);
  }

  // A member that no later one reads only multiplies.
  double count_members(const Group& group, size_t m) {
    if (m == group.members.size()) return 1;
    if (++visits_ > kMaxVisits) return 0;
    const size_t k = group.members[m];
    const std::vector<int64_t> values = domain(k);
    const bool read_later = std::any_of(group.members.begin() + static_cast<ptrdiff_t>(m) + 1,
                                        group.members.end(), [&](size_t later) {
                                          const std::vector<size_t>& d =
                                              parameters_[later].depends_on;
                                          return std::find(d.begin(), d.end(), k) != d.end();
                                        });
    if (!read_later) {
      point_[k] = values.front();
      return static_cast<double>(values.size()) * count_members(group, m + 1);
    }
    double total = 0;
    for (int64_t value : values) {
      point_[k] = value;
      total += count_members(group, m + 1);
    }
    return total;
  }

  static constexpr int64_t kMaxVisits = 100'000;

  const std::vector<Parameter>& parameters_;
  int64_t visits_ = 0;
  size_t leading_ = 0;
  std::vector<Group> groups_;
  Point point_;
};

// Of one space; the mean of walks where it cannot be counted.
SpaceSize size_of(const std::vector<Parameter>& parameters) {
  if (const std::optional<double> exact = Counter(parameters).count()) return {*exact, true};
  constexpr int kWalks = 2'000;
  std::mt19937_64 rng(1);
  double total = 0;
  for (int walk = 0; walk < kWalks; ++walk) {
    double product = 1;
    Point point;
    for (const Parameter& parameter : parameters) {
      const std::vector<int64_t> domain = parameter.domain(point);
      product *= static_cast<double>(domain.size());
      point.push_back(domain[rng() % domain.size()]);
    }
    total += product;
  }
  return {total / kWalks, false};
}

}  // namespace

SpaceSize Space::size() const {
  SpaceSize total;
  for (const std::vector<Parameter>& part : parts_) {
    const SpaceSize size = size_of(part);
    total = {total.points + size.points, total.exact && size.exact};
  }
  return total;
}

}  // namespace dovetail
