// SPDX-License-Identifier: Apache-2.0
#include "deploy/layouts/measured_layouts.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "core/base/check.h"
#include "core/ir/layout/restate.h"
#include "deploy/network/region_forms.h"

namespace dovetail {
namespace {

constexpr size_t kMostNetworks = 12;
constexpr size_t kFinalists = 3;
// What was never measured is expected to be so much of what a sibling took.
constexpr double kHope = 0.95;
constexpr double kNever = 1e9;  // seconds

class NetworkSearch {
 public:
  NetworkSearch(const Partition& parts, const Target& target, const TraceOfTask& trace_of,
                const NetworkMeter& meter, LayoutAlternatives found)
      : parts_(parts),
        target_(target),
        trace_of_(trace_of),
        meter_(meter),
        found_(std::move(found)) {}

  Result<MeasuredLayouts> search() {
    LayoutChoice next = choose_layouts(parts_, found_, joint());
    while (picked_.size() < kMostNetworks && known_.insert(next.picked).second) {
      TRY(try_network(next));
      next = choose_layouts(parts_, found_, learnt());
    }
    result_.is_settled = known_.contains(next.picked);
    TRY(run_finalists());
    return std::move(result_);
  }

 private:
  // Of each region with a product the first trace, and layouts by the bytes converted.
  LayoutCosts joint() const {
    LayoutCosts costs = bytes_converted(parts_);
    costs.region = [this, by_bytes = costs.region](size_t node, const LayoutAlternative& own) {
      const bool is_first = own.key == found_.nodes[node].front().key;
      return own.choice.trace && !is_first ? kNever * kNever : by_bytes(node, own);
    };
    return costs;
  }

  LayoutCosts learnt() const {
    return {
        .region = [this](size_t node,
                         const LayoutAlternative& own) { return region_seconds(node, own); },
        .conversion = [this](TensorId id, const NormalLayout& from,
                             const NormalLayout& to) { return conversion_seconds(id, from, to); }};
  }

  double region_seconds(size_t node, const LayoutAlternative& own) const {
    if (own.choice.stays || is_view(parts_.regions[node])) return 0;
    const auto found = regions_.find(own.key);
    if (found != regions_.end()) return found->second;
    double sibling = kNever;
    for (const LayoutAlternative& other : found_.nodes[node]) {
      const auto measured = regions_.find(other.key);
      if (measured == regions_.end()) continue;
      const bool both_known = own.seconds && other.seconds;
      sibling = std::min(sibling, both_known ? measured->second * *own.seconds / *other.seconds
                                             : measured->second * kHope);
    }
    return own.converts ? sibling + half_conversion(node) : sibling;
  }

  double half_conversion(size_t node) const {
    double bytes = 0;
    for (const auto& [name, id] : parts_.regions[node].made) bytes += bytes_of_tensor(id);
    return bytes * seconds_per_byte() / 2;
  }

  double conversion_seconds(TensorId id, const NormalLayout& from, const NormalLayout& to) const {
    const auto found = conversions_.find(key_of(id, from, to));
    return found != conversions_.end() ? found->second : bytes_of_tensor(id) * seconds_per_byte();
  }

  // As the fastest conversion so far.
  double seconds_per_byte() const {
    constexpr double kBeforeAny = 1.0 / 20e9;
    return fastest_conversion_ < kNever ? fastest_conversion_ : kBeforeAny;
  }

  double bytes_of_tensor(TensorId id) const {
    const int64_t elements = num_elements(shape_in(parts_.graph, id));
    const GraphTensor& tensor = parts_.graph.tensors[static_cast<size_t>(id)];
    return static_cast<double>(elements * bytes_of(tensor.type));
  }

  std::string key_of(TensorId id, const NormalLayout& from, const NormalLayout& to) const {
    const auto dims = numbered_dims(shape_in(parts_.graph, id));
    std::string key(name_of(parts_.graph.tensors[static_cast<size_t>(id)].type));
    for (const LogicalDim& dim : dims) key += " " + std::to_string(dim.extent);
    return key + ": " + print(from, dims) + " -> " + print(to, dims);
  }

  Result<void> try_network(const LayoutChoice& choice) {
    const LoweredNetwork lowered = TRY(lower_network(parts_, target_, trace_of_, choice.network));
    const NetworkTrial trial = TRY(meter_.measure(lowered));
    CHECK(trial.step_seconds.size() == lowered.steps.size(), "each step was measured");
    for (size_t s = 0; s < lowered.steps.size(); ++s)
      learn(lowered.steps[s], choice.picked, trial.step_seconds[s]);
    picked_.push_back(choice.network);
    result_.all_seconds.push_back(trial.seconds);
    return {};
  }

  // The least of what was seen: noise only adds.
  void learn(const NetworkStep& step, const std::vector<size_t>& picked, double seconds) {
    if (step.node) {
      const std::string& key = found_.nodes[*step.node][picked[*step.node]].key;
      const auto [known, is_new] = regions_.try_emplace(key, seconds);
      known->second = std::min(known->second, seconds);
      return;
    }
    const TensorId id = step.made[0].first;
    const std::string key = key_of(id, step.converted.first, step.converted.second);
    const auto [known, is_new] = conversions_.try_emplace(key, seconds);
    known->second = std::min(known->second, seconds);
    fastest_conversion_ = std::min(fastest_conversion_, seconds / bytes_of_tensor(id));
  }

  // The fastest few, and the first one.
  Result<void> run_finalists() {
    std::vector<size_t> order(picked_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin() + 1, order.end(), [&](size_t a, size_t b) {
      return result_.all_seconds[a] < result_.all_seconds[b];
    });
    order.resize(std::min(order.size(), kFinalists));
    std::vector<LoweredNetwork> finalists;
    for (const size_t n : order)
      finalists.push_back(TRY(lower_network(parts_, target_, trace_of_, picked_[n])));
    const std::vector<double> seconds = TRY(meter_.compare(finalists));
    const auto best = std::ranges::min_element(seconds) - seconds.begin();
    result_.network = picked_[order[static_cast<size_t>(best)]];
    result_.seconds = seconds[static_cast<size_t>(best)];
    result_.joint_seconds = seconds.front();
    return {};
  }

  const Partition& parts_;
  const Target& target_;
  const TraceOfTask& trace_of_;
  const NetworkMeter& meter_;
  LayoutAlternatives found_;
  std::map<std::string, double> regions_, conversions_;  // seconds by key
  double fastest_conversion_ = kNever;                   // seconds a byte
  std::set<std::vector<size_t>> known_;
  std::vector<NetworkChoice> picked_;
  MeasuredLayouts result_;
};

}  // namespace

Result<MeasuredLayouts> measured_layouts(const Partition& parts, const Target& target,
                                         const TracesOfTask& traces_of, const TraceOfTask& trace_of,
                                         const NetworkMeter& meter) {
  LayoutAlternatives found = TRY(layout_alternatives(parts, target, traces_of, Propagation::both));
  return NetworkSearch(parts, target, trace_of, meter, std::move(found)).search();
}

}  // namespace dovetail
