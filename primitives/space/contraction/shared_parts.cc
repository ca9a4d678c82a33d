// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/contraction/shared_parts.h"

#include <utility>

#include "primitives/divisors.h"

namespace dovetail {

SharedParts shared_parts(std::vector<std::string> loops, int64_t rounds, int64_t threads) {
  const int64_t parts = least_divisor(rounds, threads);
  if (parts == rounds) return {.split = {}, .loops = std::move(loops)};
  const std::string whole = loops[0];
  loops[0] = whole + ".1";
  loops.insert(loops.begin(), whole + ".0");
  return {.split = loop::Split{whole, rounds / parts}, .loops = std::move(loops)};
}

}  // namespace dovetail
