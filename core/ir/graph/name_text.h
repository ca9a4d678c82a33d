// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names from models in text formats: unchanged if they have plain characters only, else quoted.
//
//   conv1.weight          conv1.weight
//   onnx::Conv 193        "onnx::Conv 193"
//   a"b\n                 "a\"b\x0a"

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

std::string print_name(std::string_view name);

// Removes a name from the front of a line. The error quotes the text found instead.
Result<std::string> take_name(std::string_view& rest);

}  // namespace dovetail
