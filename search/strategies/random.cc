// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/random.h"

#include <algorithm>
#include <optional>
#include <random>
#include <unordered_set>

#include "search/strategies/enumerate.h"

namespace dovetail {
namespace {

// After this many draws in a row that only repeat, what is left is rare: look for it directly.
constexpr int kRepeatsUntilEnumeration = 1000;
// Larger spaces are called exhausted instead of enumerated (a walk of a few seconds).
constexpr double kMaxEnumeratedPoints = 1e6;

class RandomStrategy final : public Strategy {
 public:
  RandomStrategy(const Space& space, uint64_t seed) : space_(space), rng_(seed) {}

  std::vector<Trace> propose(size_t n) override {
    std::vector<Trace> traces;
    while (traces.size() < n) {
      std::optional<Trace> trace = enumerated_ ? next_left() : draw();
      if (!trace && enumerated_) break;
      if (!trace) {
        enumerate_left();
        continue;
      }
      traces.push_back(std::move(*trace));
    }
    return traces;
  }

  void observe(std::span<const Observation>) override {}

 private:
  std::optional<Trace> draw() {
    for (int repeats = 0; repeats < kRepeatsUntilEnumeration; ++repeats) {
      Trace trace = space_.decode(space_.sample(rng_));
      if (seen_.insert(hash(trace)).second) return trace;
    }
    return std::nullopt;
  }

  void enumerate_left() {
    enumerated_ = true;
    if (space_.count() > kMaxEnumeratedPoints) return;
    for_each_point(space_, [&](const Point& point) {
      Trace trace = space_.decode(point);
      if (seen_.insert(hash(trace)).second) left_.push_back(std::move(trace));
    });
    // Not std::shuffle: its result differs between standard libraries.
    for (size_t i = left_.size(); i > 1; --i) std::swap(left_[i - 1], left_[rng_() % i]);
  }

  std::optional<Trace> next_left() {
    if (left_.empty()) return std::nullopt;
    Trace trace = std::move(left_.back());
    left_.pop_back();
    return trace;
  }

  const Space& space_;
  std::mt19937_64 rng_;
  std::unordered_set<uint64_t> seen_;  // hashes of all proposed traces
  bool enumerated_ = false;
  std::vector<Trace> left_;
};

}  // namespace

Result<std::unique_ptr<Strategy>> make_random_strategy(const Space& space, uint64_t seed,
                                                       const StrategyOptions& options) {
  TRY(refuse_unknown_options("random", options, {}));
  return std::unique_ptr<Strategy>(std::make_unique<RandomStrategy>(space, seed));
}

}  // namespace dovetail
