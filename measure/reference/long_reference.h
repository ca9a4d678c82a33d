// SPDX-License-Identifier: Apache-2.0
#pragma once

// long_reference_note: the line to show before a reference that takes more than some seconds.
//
//   long_reference_note(gmm:m=4096,n=4096,k=4096)
//     computing the reference of gmm:m=4096,n=4096,k=4096 (137 GFLOP)
//   long_reference_note(gmm:m=64,n=64,k=64)        nothing
//
// References are computed while the first candidate waits to be checked, and nothing else is shown
// then: without the line a large region looks as if it hangs.

#include <cstddef>
#include <optional>
#include <string>

#include "core/ir/region/region.h"

namespace dovetail {

// A rough estimate of the time that the reference takes on as many cores.
double reference_seconds(const Region& region, size_t cores);

std::optional<std::string> long_reference_note(const Region& region);

}  // namespace dovetail
