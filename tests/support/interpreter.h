// SPDX-License-Identifier: Apache-2.0
//
// core/ir/interpreter with floats, in which most tests keep their numbers:
//
//     Storage storage{{"X", {1, 2, 3, 4}}, {"Y", std::vector<float>(4, NaN)}};
//     TRY(interpret(program, storage));                        // Y and the temporaries are there
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/program/program.h"

namespace dovetail {

// Physical elements of each buffer, in the order of its layout, by its name.
using Storage = std::map<std::string, std::vector<float>, std::less<>>;

Result<void> interpret(const Program& program, Storage& storage);

}  // namespace dovetail
