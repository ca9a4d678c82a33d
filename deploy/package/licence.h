// SPDX-License-Identifier: Apache-2.0
#pragma once

// The licence of what a package holds of ours, in full, as it asks to go along.

#include <string>

namespace dovetail {

std::string apache_licence();

}  // namespace dovetail
