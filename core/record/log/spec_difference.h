// SPDX-License-Identifier: Apache-2.0
#pragma once

// spec_differences: in which fields two specs differ, for messages.
//
//   spec_differences("c2d:ci=32,co=64,h=56,w=56,k=3+bias", "c2d:ci=64,co=64,h=56,w=56,k=3,s=2")
//     {"ci is 32 there, 64 here", "epilogue is bias there, none here",
//      "s is not set there, 2 here"}
//
// Works on the text, key by key, so that it also serves specs that this version cannot parse.

#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

std::vector<std::string> spec_differences(std::string_view there, std::string_view here);

}  // namespace dovetail
