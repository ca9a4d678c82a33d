// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/winograd/shared_parts.h"

#include "primitives/divisors.h"

namespace dovetail {

SharedParts shared_parts(const std::string& loop, int64_t rounds, int64_t threads) {
  const int64_t parts = least_divisor(rounds, threads);
  if (parts == rounds) return {.split = {}, .loops = {loop}};
  return {.split = loop::Split{loop, rounds / parts}, .loops = {loop + ".0", loop + ".1"}};
}

}  // namespace dovetail
