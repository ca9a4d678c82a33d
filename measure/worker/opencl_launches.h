// SPDX-License-Identifier: Apache-2.0
#pragma once

// Launches as text, the way they travel from the build worker to the run worker.
//
//   [{"name":"c2d","global":[448,1,1],"local":[8,1,1],"buffers":[0,2,3]}]

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/codegen/opencl/emit.h"

namespace dovetail {

std::string print(const std::vector<KernelLaunch>& launches);
// `buffers`: how many there are; the error names an index beyond them.
Result<std::vector<KernelLaunch>> parse_launches(std::string_view text, size_t buffers);

}  // namespace dovetail
