// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/ir/value/ndarray.h"

namespace dovetail {

// Arrays by the names of their tensors, in logical order: what a region reads, or what it made.
using NamedArrays = std::map<std::string, NDArray, std::less<>>;

}  // namespace dovetail
