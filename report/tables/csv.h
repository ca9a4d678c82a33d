// SPDX-License-Identifier: Apache-2.0
#pragma once

// CSV (RFC 4180), a line at a time; what figures are drawn from.
//
//   csv_line({"gmm:m=8,n=8,k=8", "0.5"})    "gmm:m=8,n=8,k=8",0.5\n

#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

// Quoted where a comma, a quote or a line feed asks for it.
std::string csv_cell(std::string_view text);
std::string csv_line(const std::vector<std::string>& cells);  // ended by a line feed
// The shortest text that reads back as the same number; empty when it is not finite.
std::string csv_number(double value);

}  // namespace dovetail
