// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/contraction/loop_orders.h"

#include <algorithm>

#include "primitives/divisors.h"
#include "primitives/space/contraction/execution.h"

namespace dovetail {
namespace {

int64_t factorial(size_t n) { return n < 2 ? 1 : static_cast<int64_t>(n) * factorial(n - 1); }

void add_phase_order(const std::shared_ptr<const ContractionFacts>& s, ParameterList& list) {
  if (s->phased.empty()) return;
  std::vector<ParameterId> reads;
  for (const std::string& axis : s->phased) reads.emplace_back(ParameterKind::phase, axis);
  list.add(ParameterKind::phase_order, "where the phases' loops stand", reads,
           [s](const Choices& c) { return count_up_to(has_phase_loops(*s, c) ? 2 : 1); },
           {"outermost", "inside"});
}

}  // namespace

std::vector<std::string> movable_axes(const ContractionPlan& plan) {
  std::vector<std::string> axes = plan.facts.outer;
  std::erase_if(
      axes, [&](const std::string& axis) { return std::ranges::count(plan.outermost, axis) > 0; });
  return axes;
}

bool has_top(const ContractionFacts& s, const Choices& c) {
  const int64_t unroll = unroll_part(c, s.pure);
  return unroll * inner_part(c, s.pure) < round_up(s.axis(s.pure).extent, unroll);
}

std::vector<std::string> permuted(const std::vector<std::string>& axes, const std::string& first,
                                  int64_t index) {
  std::vector<std::string> order = axes;
  std::stable_partition(order.begin(), order.end(),
                        [&](const std::string& axis) { return axis == first; });
  std::vector<size_t> positions(order.size());
  for (size_t k = 0; k < positions.size(); ++k) positions[k] = k;
  for (int64_t k = 0; k < index; ++k) std::next_permutation(positions.begin(), positions.end());
  std::vector<std::string> result;
  for (size_t position : positions) result.push_back(order[position]);
  return result;
}

int64_t order_led_by(const std::string& front, const std::vector<std::string>& axes,
                     const std::string& first) {
  const std::vector<std::string> order = permuted(axes, first, 0);
  const auto position = std::ranges::find(order, front) - order.begin();
  int64_t orders_of_the_rest = 1;
  for (size_t n = 2; n < order.size(); ++n) orders_of_the_rest *= static_cast<int64_t>(n);
  return position * orders_of_the_rest;
}

std::vector<int64_t> count_up_to(int64_t n) {
  std::vector<int64_t> values(static_cast<size_t>(n));
  for (int64_t k = 0; k < n; ++k) values[static_cast<size_t>(k)] = k;
  return values;
}

bool has_phase_loops(const ContractionFacts& s, const Choices& c) {
  return std::ranges::any_of(s.phased, [&](const std::string& axis) {
    return chosen(c, {ParameterKind::phase, axis}, 0) == 0;
  });
}

int64_t unrolled_phases(const ContractionFacts& s, const Choices& c) {
  int64_t product = 1;
  for (const std::string& axis : s.phased)
    product *= chosen(c, {ParameterKind::phase, axis}, 0) == 1 ? s.axis(axis).phases : 1;
  return product;
}

void add_loop_orders(const std::shared_ptr<const ContractionPlan>& plan, const Target& target,
                     ParameterList& list) {
  const std::shared_ptr<const ContractionFacts> s = facts_of(plan);
  if (!s->pure.empty() && !s->windows.empty()) {
    list.add_values(ParameterKind::reduction_order, "loops of the reduction, outermost first",
                    {0, 1, 2}, {"outer_window_inner", "window_outer_inner", "outer_inner_window"});
  }
  add_phase_order(s, list);
  const int64_t orders = factorial(std::min<size_t>(movable_axes(*plan).size(), 5));
  if (orders > 1) {
    list.add_values(
        ParameterKind::outer_order,
        "permutation of the outer loops; 0: vector axis outermost, then as in the output",
        count_up_to(orders));
    list.add_values(ParameterKind::cache_order, "permutation of the cache loops",
                    count_up_to(orders));
  }
  execution_rules(target).add_sharing(plan, target, list);
}

}  // namespace dovetail
