// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/padded_extents.h"

#include "primitives/divisors.h"

namespace dovetail {

std::map<std::string, int64_t> padded_extents(const Structure& s, const Choices& choices) {
  std::map<std::string, int64_t> result;
  for (const std::string& axis : s.tiled)
    result[axis] = round_up(s.axis(axis).extent, register_tile(choices, axis));
  if (!s.pure.empty())
    result[s.pure] = round_up(s.axis(s.pure).extent, unroll_part(choices, s.pure));
  return result;
}

}  // namespace dovetail
