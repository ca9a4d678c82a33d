// SPDX-License-Identifier: Apache-2.0
#pragma once

// The folder for the outputs of a run: output_0.npy, output_1.npy, … in their order.

#include <string>
#include <vector>

#include "campaign/run/region_tensors.h"
#include "core/base/result.h"
#include "core/ir/value/named_arrays.h"

namespace dovetail {

// Call it before anything runs: the path must be a folder, or not exist.
Result<void> check_output_folder(const std::string& path);

// Creates the folder, and returns the files written. `outputs`: values by tensor name.
Result<std::vector<std::string>> write_outputs(const std::string& folder,
                                               const std::vector<OuterTensor>& made,
                                               const NamedArrays& outputs);

}  // namespace dovetail
