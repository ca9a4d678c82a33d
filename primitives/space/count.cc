// SPDX-License-Identifier: Apache-2.0
//
// Counts the points of a space without visiting them. Once a parameter is fixed, the others often
// fall into independent groups; the count is the sum over its values of the product of the groups'
// counts, and each group is decomposed again in the same way. A group's count depends only on the
// few fixed values that it reads, and is memoised by them.
//
//   Register tiles R.a, cache tiles M.a, layout choices T.a of a tensor T:
//
//   R.o ─┬─ R.h ─┬─ M.h ─┬─ Y.h         Σ_R.o (Σ_R.h (Σ_M.h |Y.h|·|X.h|) · …) · (Σ_M.o |Y.o|·|W.o|)
//        │       …       └─ X.h
//        └─ M.o ─┬─ Y.o
//                └─ W.o
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "primitives/space/space.h"

namespace dovetail {
namespace {

// Parameters connected by their domains; the first is fixed before the others.
struct Group {
  size_t first = 0;
  bool first_is_read = false;  // by others of the group
  std::vector<size_t> reads;   // parameters outside, ascending
  std::vector<Group> parts;    // groups of the others, once the first is fixed
  std::map<std::vector<int64_t>, double> known;
};

class Counter {
 public:
  explicit Counter(const std::vector<Parameter>& parameters)
      : parameters_(parameters), point_(parameters.size()) {
    std::vector<size_t> all(parameters.size());
    std::iota(all.begin(), all.end(), size_t{0});
    groups_ = groups_of(all);
  }

  // Returns nullopt when too many values would be visited.
  std::optional<double> count() {
    const double total = count_all(groups_);
    if (visits_ > kMaxVisits) return std::nullopt;
    return total;
  }

 private:
  static bool contains(const std::vector<size_t>& sorted, size_t k) {
    return std::ranges::binary_search(sorted, k);
  }

  // Precondition: `members` ascend.
  std::vector<Group> groups_of(const std::vector<size_t>& members) const {
    std::map<size_t, size_t> root;
    for (const size_t k : members) root[k] = k;
    const auto find = [&](size_t k) {
      while (root.at(k) != k) k = root.at(k);
      return k;
    };
    for (const size_t k : members) {
      for (const size_t d : parameters_[k].depends_on)
        if (contains(members, d)) root[find(k)] = find(d);
    }
    std::map<size_t, std::vector<size_t>> connected;
    for (const size_t k : members) connected[find(k)].push_back(k);
    std::vector<Group> groups;
    for (const auto& [_, group] : connected) groups.push_back(group_of(group));
    return groups;
  }

  Group group_of(const std::vector<size_t>& members) const {
    Group group;
    group.first = members.front();
    for (const size_t k : members) {
      for (const size_t d : parameters_[k].depends_on) {
        group.first_is_read = group.first_is_read || d == group.first;
        if (!contains(members, d)) group.reads.push_back(d);
      }
    }
    std::ranges::sort(group.reads);
    const auto repeated = std::ranges::unique(group.reads);
    group.reads.erase(repeated.begin(), repeated.end());
    group.parts = groups_of({members.begin() + 1, members.end()});
    return group;
  }

  double count_all(std::vector<Group>& groups) {
    double product = 1;
    for (Group& group : groups) product *= count(group);
    return product;
  }

  double count(Group& group) {
    std::vector<int64_t> key;
    for (const size_t d : group.reads) key.push_back(point_[d]);
    const auto it = group.known.find(key);
    if (it != group.known.end()) return it->second;
    return group.known[key] = count_values(group);
  }

  double count_values(Group& group) {
    if (++visits_ > kMaxVisits) return 0;
    // A domain reads only its declared dependencies; other entries of the point are stale.
    const std::vector<int64_t> values = parameters_[group.first].domain(point_);
    if (!group.first_is_read) return static_cast<double>(values.size()) * count_all(group.parts);
    double total = 0;
    for (const int64_t value : values) {
      point_[group.first] = value;
      total += count_all(group.parts);
    }
    return total;
  }

  static constexpr int64_t kMaxVisits = 100'000;

  const std::vector<Parameter>& parameters_;
  int64_t visits_ = 0;
  std::vector<Group> groups_;
  Point point_;
};

// Counts one space, or estimates it as the mean of random walks where counting visits too much.
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
