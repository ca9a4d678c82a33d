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
// The two states of a network are two, and not one with a note, because their times differ for one
// candidate as those of hot and cold do: a log serves several networks only where a record says
// which it is of.

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

// Whether a constant is elsewhere than an activation.
constexpr bool is_of_network(Caches caches) {
  return caches == Caches::network_l3 || caches == Caches::network_memory;
}

// How far the times of another state are from what was wanted: 0 for the same state. A record of
// the nearest state is what is taken where there is none of the state itself.
int distance(Caches wanted, Caches other);

}  // namespace dovetail
