// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks whether another library computed what the operator means, on our candidates' numbers.
//
// Direct algorithms must be exact on small integers, as ours must. On real data
//
//   |y - ref| <= c * scale + 1e-5 * epilogue_scale      c = 1e-6 (winograd: 1e-4)
//
// with the reference's scales (measure/reference/reference.h). Winograd rounds even small integers:
// it is judged on real data only.

#include <span>
#include <string>

#include "measure/output_check.h"

namespace dovetail {

// False where an algorithm cannot be judged by this data.
bool is_judged_by(const std::string& algorithm, const CheckData& data);

// `output` in framework order.
OutputCheck check_peer_output(const CheckData& data, const std::string& algorithm,
                              std::span<const float> output);

}  // namespace dovetail
