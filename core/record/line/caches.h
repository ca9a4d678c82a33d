// SPDX-License-Identifier: Apache-2.0
#pragma once

// Caches: where the operands were when a candidate was timed.
//
//   state            constants           activations    the time is that of
//   hot              in the caches       likewise       the same run again and again
//   cold             in memory           in memory      a first run
//   network:memory   in memory           just written   one in a network that no cache holds
//   network:l3       in the last cache   just written   one in a network whose constants fit there
//
//   print(Caches::network_l3)        "network:l3", as a record and --cache have it
//   parse_caches("cold")
//
// The two network states are separate values because a candidate's times differ between them as
// much as between hot and cold: a log serves several networks only where each record has its state.

#include <string_view>
#include <type_traits>

#include "core/base/result.h"

namespace dovetail {

enum class Caches { hot, cold, network_l3, network_memory };

std::string_view print(Caches caches);
Result<Caches> parse_caches(std::string_view text);
// For fields of this type (core/record/line/fields.h).
inline Result<Caches> parse_word(std::string_view text, std::type_identity<Caches>) {
  return parse_caches(text);
}

// Whether constants are in another place than activations.
constexpr bool is_of_network(Caches caches) {
  return caches == Caches::network_l3 || caches == Caches::network_memory;
}

// How far times of another state are from the wanted ones: 0 for the same state. Where a state has
// no record, one of the nearest state is used.
int distance(Caches wanted, Caches other);

}  // namespace dovetail
