// SPDX-License-Identifier: Apache-2.0
#include "deploy/layouts/measured_layouts.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "core/base/check.h"
#include "core/ir/layout/restate.h"
#include "deploy/layouts/adapted_traces.h"
#include "deploy/layouts/limited_layouts.h"
#include "deploy/network/network_plan.h"
#include "deploy/network/region_forms.h"

namespace dovetail {
namespace {

constexpr size_t kMostNetworks = 20;
constexpr size_t kFinalists = 3;
constexpr double kTied = 1.01;  // times within this ratio are indistinguishable
// Networks tried with adapted traces, which were never measured alone, after those without.
constexpr size_t kMostAdapting = 8;
// Steps of a few microseconds are known to within 10 or 20 %: networks are also tried in which a
// conversion must save this many times its own time.
constexpr double kWary = 2;
constexpr size_t kMostWary = 4;
// An alternative never measured is estimated at this fraction of a measured sibling.
constexpr double kHope = 0.95;
constexpr double kNever = 1e9;  // seconds

class NetworkSearch {
 public:
  NetworkSearch(const Partition& parts, const Target& target, const TraceOfTask& trace_of,
                const NetworkMeter& meter, LayoutAlternatives found, MeasuredTimes& times)
      : parts_(parts),
        target_(target),
        trace_of_(trace_of),
        meter_(meter),
        found_(std::move(found)),
        times_(times) {}

  Result<MeasuredLayouts> search() {
    if (meter_.most_bytes) TRY(share_memory());
    const auto first = TRY(best_that_fits(logged_costs(parts_, found_)));
    if (!first) {
      result_.least_bytes = least_bytes_;
      return std::move(result_);
    }
    TRY(try_network(*first));
    if (const auto second = TRY(best_that_fits(default_costs(parts_, found_))); second)
      TRY(try_network(*second));
    result_.is_settled = TRY(choose_until_known(learnt(), kMostNetworks));
    adapts_ = true;
    TRY(choose_until_known(learnt(), tried_.size() + kMostAdapting));
    TRY(choose_until_known(learnt(kWary), tried_.size() + kMostWary));
    TRY(run_finalists());
    return std::move(result_);
  }

 private:
  // True if the search settled: its last choice is one that was measured.
  Result<bool> choose_until_known(const LayoutCosts& costs, size_t most) {
    std::optional<LayoutChoice> next = TRY(best_that_fits(costs));
    while (next && tried_.size() < most && !known_.contains(next->picked)) {
      TRY(try_network(*next));
      next = TRY(best_that_fits(costs));
    }
    return !next || known_.contains(next->picked);
  }

  Result<NetworkPlan> plan_of(const LayoutChoice& choice) const {
    return plan_network(TRY(lower_network(parts_, target_, trace_of_, choice.network)).program);
  }

  // Temporaries get as many bytes as they need in the fastest network, constants the rest.
  Result<void> share_memory() {
    const LayoutChoice fastest = choose_layouts(parts_, found_, logged_costs(parts_, found_));
    shares_.temporaries = bytes_in(TRY(plan_of(fastest)), NetworkMemory::workspace);
    shares_.constants = *meter_.most_bytes - shares_.temporaries;
    return {};
  }

  // The plan of the whole network decides; if it exceeds the limit, the excess is taken off the
  // constants' share from then on.
  Result<std::optional<LayoutChoice>> best_that_fits(const LayoutCosts& costs) {
    if (!meter_.most_bytes) return std::optional(choose_layouts(parts_, found_, costs));
    while (true) {
      LimitedChoice next = choose_within(parts_, found_, costs, shares_);
      const std::vector<size_t>& picked = next.choice.picked;
      if (known_.contains(picked)) return std::optional(std::move(next.choice));
      const int64_t bytes = kept_bytes(TRY(plan_of(next.choice)));
      least_bytes_ = std::min(least_bytes_, bytes);
      if (bytes <= *meter_.most_bytes) return std::optional(std::move(next.choice));
      if (!next.fits) return std::nullopt;
      shares_.constants = constant_bytes(found_, picked) - (bytes - *meter_.most_bytes);
    }
  }

  LayoutCosts learnt(double conversions = 1) const {
    return {.region = [this](size_t node,
                             const LayoutAlternative& own) { return region_seconds(node, own); },
            .conversion =
                [this, conversions](TensorId id, const NormalLayout& from, const NormalLayout& to) {
                  return conversions * conversion_seconds(id, from, to);
                }};
  }

  double region_seconds(size_t node, const LayoutAlternative& own) const {
    if (own.choice.stays || is_view(parts_.regions[node])) return 0;
    const auto found = times_.regions.find(own.key);
    if (found != times_.regions.end()) return found->second;
    if (!own.adapted_from.empty()) return adapted_seconds(own);
    double sibling = kNever;
    for (const LayoutAlternative& other : found_.nodes[node]) {
      const auto measured = times_.regions.find(other.key);
      if (measured == times_.regions.end()) continue;
      const bool both_known = own.seconds && other.seconds;
      sibling = std::min(sibling, both_known ? measured->second * *own.seconds / *other.seconds
                                             : measured->second * kHope);
    }
    // Before any network has run the region, the log's time is the estimate.
    if (sibling == kNever && own.seconds) sibling = *own.seconds;
    return own.converts ? sibling + half_conversion(node) : sibling;
  }

  // The time of its original, without kHope: it is tried only where it saves a conversion.
  double adapted_seconds(const LayoutAlternative& own) const {
    const auto found = times_.regions.find(own.adapted_from);
    return adapts_ && found != times_.regions.end() ? found->second : kNever;
  }

  double half_conversion(size_t node) const {
    double seconds = 0;
    for (const auto& [name, id] : parts_.regions[node].made)
      seconds += expected_conversion(bytes_of_tensor(id)) / 2;
    return seconds;
  }

  double conversion_seconds(TensorId id, const NormalLayout& from, const NormalLayout& to) const {
    const auto found = times_.conversions.find(key_of(id, from, to));
    return found != times_.conversions.end() ? found->second
                                             : expected_conversion(bytes_of_tensor(id));
  }

  // The best rate among tensors at least half as large: one that fits a cache tells nothing of one
  // that does not. Where there is none, the worst rate of the smaller ones.
  double expected_conversion(double bytes) const {
    double fastest = kNever, slowest = 1.0 / 20e9;  // seconds a byte
    for (const auto& [size, rate] : times_.rates) {
      if (size >= bytes / 2) fastest = std::min(fastest, rate);
      slowest = std::max(slowest, rate);
    }
    return kHope * bytes * (fastest < kNever ? fastest : slowest);
  }

  double bytes_of_tensor(TensorId id) const {
    return static_cast<double>(bytes_in(parts_.graph, id));
  }

  std::string key_of(TensorId id, const NormalLayout& from, const NormalLayout& to) const {
    const auto dims = numbered_dims(shape_in(parts_.graph, id));
    std::string key(name_of(parts_.graph.tensors[static_cast<size_t>(id)].type));
    for (const LogicalDim& dim : dims) key += " " + std::to_string(dim.extent);
    return key + ": " + print(from, dims) + " -> " + print(to, dims);
  }

  Result<void> try_network(const LayoutChoice& choice) {
    if (!known_.insert(choice.picked).second) return {};
    const LoweredNetwork lowered = TRY(lower_network(parts_, target_, trace_of_, choice.network));
    const NetworkTrial trial = TRY(meter_.measure(lowered));
    CHECK(trial.step_seconds.size() == lowered.steps.size(), "each step was measured");
    for (size_t s = 0; s < lowered.steps.size(); ++s)
      learn(lowered.steps[s], choice.picked, trial.step_seconds[s]);
    tried_.push_back(choice);
    result_.all_seconds.push_back(trial.seconds);
    return {};
  }

  void learn(const NetworkStep& step, const std::vector<size_t>& picked, double seconds) {
    if (step.node) {
      const std::string& key = found_.nodes[*step.node][picked[*step.node]].key;
      const auto [known, is_new] = times_.regions.try_emplace(key, seconds);
      known->second = std::min(known->second, seconds);
      return;
    }
    const TensorId id = step.made[0].first;
    const std::string key = key_of(id, step.converted.first, step.converted.second);
    const auto [known, is_new] = times_.conversions.try_emplace(key, seconds);
    known->second = std::min(known->second, seconds);
    times_.rates.emplace_back(bytes_of_tensor(id), seconds / bytes_of_tensor(id));
  }

  std::vector<double> costs_of_tried(const LayoutCosts& costs) const {
    std::vector<double> result;
    for (const LayoutChoice& tried : tried_)
      result.push_back(cost_of(parts_, found_, costs, tried.picked));
    return result;
  }

  std::vector<double> conversions_of_tried() const {
    LayoutCosts alone = learnt();
    alone.region = [](size_t, const LayoutAlternative&) { return 0.0; };
    return costs_of_tried(alone);
  }

  // The first network, the fastest few, the one expected to be fastest now, and among those within
  // kTied of it the one with the least conversion time.
  std::vector<size_t> finalists() const {
    const std::vector<double> expected = costs_of_tried(learnt());
    const std::vector<double> converting = conversions_of_tried();
    const double hardly_more = kTied * std::ranges::min(expected);
    std::vector<size_t> order(tried_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, {}, [&](size_t n) { return result_.all_seconds[n]; });
    std::vector<size_t> wanted{0};
    wanted.insert(wanted.end(), order.begin(),
                  order.begin() + std::min<ptrdiff_t>(std::ssize(order), kFinalists));
    wanted.push_back(*std::ranges::min_element(order, {}, [&](size_t n) { return expected[n]; }));
    std::erase_if(order, [&](size_t n) { return expected[n] > hardly_more; });
    wanted.push_back(*std::ranges::min_element(order, {}, [&](size_t n) { return converting[n]; }));
    std::vector<size_t> chosen;
    for (const size_t n : wanted)
      if (std::ranges::find(chosen, n) == chosen.end()) chosen.push_back(n);
    return chosen;
  }

  // Takes, among those indistinguishable from the fastest, the one with the least conversion time,
  // the first one on a tie; but never one slower than `joint`.
  Result<void> run_finalists() {
    const std::vector<size_t> numbers = finalists();
    const std::vector<double> converting = conversions_of_tried();
    std::vector<LoweredNetwork> networks;
    for (const size_t n : numbers)
      networks.push_back(TRY(lower_network(parts_, target_, trace_of_, tried_[n].network)));
    const std::vector<double> seconds = TRY(meter_.compare(networks));
    const double most = std::min(kTied * std::ranges::min(seconds), seconds.front());
    std::optional<size_t> best;
    for (size_t n = 0; n < numbers.size(); ++n)
      if (seconds[n] <= most && (!best || converting[numbers[n]] < converting[numbers[*best]]))
        best = n;
    const LayoutChoice& taken = tried_[numbers[*best]];
    result_.network = taken.network;
    for (size_t node = 0; node < taken.picked.size(); ++node)
      result_.node_seconds.push_back(region_seconds(node, found_.nodes[node][taken.picked[node]]));
    result_.seconds = seconds[*best];
    result_.joint_seconds = seconds.front();
    return {};
  }

  const Partition& parts_;
  const Target& target_;
  const TraceOfTask& trace_of_;
  const NetworkMeter& meter_;
  LayoutAlternatives found_;
  MeasuredTimes& times_;
  MemoryShares shares_;                                        // used with a memory limit
  int64_t least_bytes_ = std::numeric_limits<int64_t>::max();  // smallest network planned so far
  bool adapts_ = false;                                        // adapted traces are considered, too
  std::set<std::vector<size_t>> known_;
  std::vector<LayoutChoice> tried_;
  MeasuredLayouts result_;
};

}  // namespace

Result<MeasuredLayouts> measured_layouts(const Partition& parts, const Target& target,
                                         const TracesOfTask& traces_of, const TraceOfTask& trace_of,
                                         const NetworkMeter& meter, MeasuredTimes& times) {
  LayoutAlternatives found = TRY(layout_alternatives(parts, target, traces_of, Propagation::both));
  add_adapted_traces(parts, target, found);
  return NetworkSearch(parts, target, trace_of, meter, std::move(found), times).search();
}

}  // namespace dovetail
