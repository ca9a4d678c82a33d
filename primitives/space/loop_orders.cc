// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/loop_orders.h"

#include <algorithm>

#include "primitives/divisors.h"
#include "primitives/space/layouts/placement.h"
#include "primitives/space/moved_bytes.h"

namespace dovetail {
namespace {

int64_t factorial(size_t n) { return n < 2 ? 1 : static_cast<int64_t>(n) * factorial(n - 1); }

void add_phase_order(const std::shared_ptr<const Structure>& s, ParameterList& list) {
  if (s->phased.empty()) return;
  std::vector<ParameterId> reads;
  for (const std::string& axis : s->phased) reads.emplace_back(ParameterKind::phase, axis);
  list.add(ParameterKind::phase_order, "where the phases' loops stand", reads,
           [s](const Choices& c) { return count_up_to(has_phase_loops(*s, c) ? 2 : 1); },
           {"outermost", "inside"});
}

// Whether the reduction has a part outside the unrolled and the inner one.
bool has_top(const Structure& s, const Choices& c) {
  const int64_t unroll = unroll_part(c, s.pure);
  return unroll * inner_part(c, s.pure) < round_up(s.axis(s.pure).extent, unroll);
}

// Offered only where they can matter. Where caches hold all operands, the consumer finds the output
// there; after non-temporal stores it would wait for memory (the pooling after ResNet-18's first
// convolution on a Zen 5: 173 us instead of 116), which timing the producer alone does not show.
void add_cache_hints(const Structure& s, const Target& target, ParameterList& list) {
  const bool leaves =
      bytes_of(s, s.output()) > target.l2_bytes && leaves_caches(operand_bytes(s), target);
  if (leaves && s.lanes > 1 && s.lanes % target.vector_lanes == 0) {
    list.add(ParameterKind::stores, "where the output goes", {ParameterKind::reduction_outside},
             [](const Choices& c) {
               return count_up_to(chosen(c, ParameterKind::reduction_outside, 0) == 0 ? 2 : 1);
             },
             {"normal", "streaming"});
  }
  if (s.inputs().size() < 2) return;
  const std::string weights = s.inputs()[1].tensor;
  if (bytes_of(s, weights) <= target.l2_bytes) return;
  list.add({ParameterKind::prefetch, weights},
           "iterations of the innermost reduction loop by which " + weights +
               " is prefetched; 0: not, -1: for the next tile of columns",
           {{ParameterKind::cache_read, weights}}, [weights](const Choices& c) {
             return chosen(c, {ParameterKind::cache_read, weights}, kNowhere) == kNowhere
                        ? std::vector<int64_t>{0, 1, 2, 4, 8, 16, 32, kNextTile}
                        : std::vector<int64_t>{0};
           });
}

}  // namespace

std::vector<std::string> movable_axes(const Structure& s) {
  std::vector<std::string> axes = s.outer;
  std::erase_if(axes, [&](const std::string& axis) {
    return std::ranges::find(s.outermost, axis) != s.outermost.end();
  });
  return axes;
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

bool has_phase_loops(const Structure& s, const Choices& c) {
  return std::ranges::any_of(s.phased, [&](const std::string& axis) {
    return chosen(c, {ParameterKind::phase, axis}, 0) == 0;
  });
}

int64_t unrolled_phases(const Structure& s, const Choices& c) {
  int64_t product = 1;
  for (const std::string& axis : s.phased)
    product *= chosen(c, {ParameterKind::phase, axis}, 0) == 1 ? s.axis(axis).phases : 1;
  return product;
}

void add_loop_orders(const std::shared_ptr<const Structure>& s, const Target& target,
                     ParameterList& list) {
  if (!s->pure.empty() && !s->windows.empty()) {
    list.add_values(ParameterKind::reduction_order, "loops of the reduction, outermost first",
                    {0, 1, 2}, {"outer_window_inner", "window_outer_inner", "outer_inner_window"});
  }
  add_phase_order(s, list);
  const int64_t orders = factorial(std::min<size_t>(movable_axes(*s).size(), 5));
  if (orders > 1) {
    list.add_values(
        ParameterKind::outer_order,
        "permutation of the outer loops; 0: vector axis outermost, then as in the output",
        count_up_to(orders));
    list.add_values(ParameterKind::cache_order, "permutation of the cache loops",
                    count_up_to(orders));
  }
  const ParameterId unrolled(ParameterKind::unroll_part, s->pure);
  const ParameterId inner(ParameterKind::inner_part, s->pure);
  if (s->splits_reduction) {
    list.add(ParameterKind::rfactor, "top of the reduction summed up apart, shared by threads",
             {unrolled, inner, {ParameterKind::store_at, "bias"}},
             [s](const Choices& c) {  // the sum's loops do not follow the splits of W's layout
               return count_up_to(
                   has_top(*s, c) && chosen(c, {ParameterKind::store_at, "bias"}, 0) == 0 ? 2 : 1);
             },
             {"none", "top"});
  }
  if (runs_work_groups(target)) return add_staging(s, target, list);
  if (!s->pure.empty() && s->sums_fit_output) {
    list.add(
        ParameterKind::reduction_outside,
        "1: the top of the reduction lies outside the cache loops",
        {unrolled, inner, ParameterKind::rfactor}, [s](const Choices& c) {
          return count_up_to(has_top(*s, c) && chosen(c, ParameterKind::rfactor, 0) == 0 ? 2 : 1);
        });
  }
  add_staging(s, target, list);
  if (target.name.threads > 1)
    list.add_values(ParameterKind::fuse, "outer loops that threads share", {1, 2, 3});
  add_cache_hints(*s, target, list);
}

}  // namespace dovetail
