// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names of models in texts: as they are where they have plain characters only, else quoted.
//
//   conv1.weight          conv1.weight
//   onnx::Conv 193        "onnx::Conv 193"
//   a"b\n                 "a\"b\x0a"

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

std::string print_name(std::string_view name);

// Takes a name from the front of a line. The error says what was found instead.
Result<std::string> take_name(std::string_view& rest);

}  // namespace dovetail
