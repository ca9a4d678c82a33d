// SPDX-License-Identifier: Apache-2.0
#pragma once

// The folder that outputs of a run go to: output_0.npy, output_1.npy, … in their order.

#include <string>
#include <vector>

#include "campaign/run/region_tensors.h"
#include "core/base/result.h"
#include "measure/reference/region_reference.h"

namespace dovetail {

// Before anything runs: the path is a folder, or nothing yet.
Result<void> check_output_folder(const std::string& path);

// Makes the folder, and gives the files that it wrote: of each tensor its values by name.
Result<std::vector<std::string>> write_outputs(const std::string& folder,
                                               const std::vector<OuterTensor>& made,
                                               const RegionInputs& outputs);

}  // namespace dovetail
