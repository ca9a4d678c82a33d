// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/ir/layout/layout.h"

namespace dovetail {

// For every physical element, row-major, its logical element (row-major number) or -1 for a zero:
// what pack and unpack must agree with. storage_elements(layout) entries.
std::vector<int64_t> gather_map(const Layout& layout);

}  // namespace dovetail
