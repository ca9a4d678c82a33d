// SPDX-License-Identifier: Apache-2.0
#pragma once

// The full licence of Dovetail's code in a package, which requires that a copy go along.

#include <string>

namespace dovetail {

std::string apache_licence();

}  // namespace dovetail
