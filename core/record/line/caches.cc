// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/caches.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

// In the order of Caches.
constexpr std::array<std::string_view, 4> kStates = {"hot", "cold", "network:l3", "network:memory"};

// From the nearest caches to memory: adjacent states are most alike.
constexpr Caches kByDistance[] = {Caches::hot, Caches::network_l3, Caches::network_memory,
                                  Caches::cold};

}  // namespace

std::string_view print(Caches caches) {
  const auto number = static_cast<size_t>(caches);
  CHECK(number < kStates.size(), "a state of the caches that is none of its values");
  return kStates[number];
}

Result<Caches> parse_caches(std::string_view text) {
  const auto state = word_to<Caches>(kStates, text);
  if (state) return *state;
  return fail("found '{}', expected one of: {}", text, one_of(kStates));
}

int distance(Caches wanted, Caches other) {
  const auto place = [](Caches caches) {
    return std::ranges::find(kByDistance, caches) - std::begin(kByDistance);
  };
  const auto apart = static_cast<int>(place(other) - place(wanted));
  // Tie-break between equally distant states: the one with more in memory is nearer to how networks
  // run.
  return apart >= 0 ? 2 * apart : -2 * apart + 1;
}

}  // namespace dovetail
