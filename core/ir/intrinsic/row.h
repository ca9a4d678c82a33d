// SPDX-License-Identifier: Apache-2.0
//
// An intrinsic as a platform's table has it.
//
//   {"mma.m16n8k16_f16", "C[r,g,t,c]+=…", "sm_80", "t g", "A.k=1 B.k=1"}
#pragma once

#include <string>
#include <string_view>

namespace dovetail {

struct IntrinsicRow {
  std::string name, definition;
  std::string_view feature;
  std::string_view lanes = {};    // axes along thread.0, thread.1, …
  std::string_view strides = {};  // TENSOR.AXIS=ELEMENTS, or =NUMBER*AXIS of the same tensor
};

}  // namespace dovetail
