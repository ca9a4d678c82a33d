// SPDX-License-Identifier: Apache-2.0
#pragma once

// The peers that this version knows, by the names that `--against` takes, whether they were built
// in or not.

#include <string>
#include <vector>

namespace dovetail {

const std::vector<std::string>& known_peers();  // onednn, libtorch, openblas

}  // namespace dovetail
