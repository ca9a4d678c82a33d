// SPDX-License-Identifier: Apache-2.0
#pragma once

// Replaces letters and words of a formula by texts:
//
//   filled("max(a,0)", {{"a", "A[a0]"}})      max(A[a0],0)

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dovetail {

using Letters = std::vector<std::pair<std::string_view, std::string>>;

// Letters inside longer words stay.
std::string filled(std::string_view formula, const Letters& letters);

}  // namespace dovetail
