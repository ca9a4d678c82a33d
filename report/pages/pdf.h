// SPDX-License-Identifier: Apache-2.0
#pragma once

// PDF of our SVG, by librsvg and cairo, in a library of its own that is loaded when a PDF is asked
// for: they bring a dozen more, which `dovetail show` would wait for at every start.

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

// The error says what is missing, in one line.
Result<void> pdf_available();

// Vector graphics, one page of the drawing's size; the same SVG gives the same bytes.
Result<void> write_pdf(std::string_view svg, const std::string& path);

}  // namespace dovetail
