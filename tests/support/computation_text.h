// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/ir/operator/computation.h"

namespace dovetail {

// ` where 0 <= ((h - kh + 1) mod 2) < 1 and …`, empty without conditions.
std::string print_conditions(const Access& access);
// "for n<1, …: Y[n, o, h, w] = max(sum(i<64, …; X[…] * W[…]) + bias[o], 0)"; for people.
std::string print(const Computation& computation);

}  // namespace dovetail
