// SPDX-License-Identifier: Apache-2.0
//
// Instructions of x86, as data.
#pragma once

#include <span>
#include <string_view>

namespace dovetail {

struct IntrinsicRow {
  std::string_view name, definition, feature;
};

std::span<const IntrinsicRow> x86_intrinsics();

}  // namespace dovetail
