// SPDX-License-Identifier: Apache-2.0
#pragma once

// Escapes text from logs for HTML and SVG, whatever is in it.
//
//   escape_markup("a<b & \"c\"")    a&lt;b &amp; &quot;c&quot;
//   fit_text("c2d:ci=256,co=256,h=14,w=14,k=3,p=1", 120, 11)    c2d:ci=256…,k=3,p=1
//
// Pages and figures are XML at the same time (every element closed, every attribute quoted), so
// that tests read them with a strict parser. Characters that XML forbids, or that would reverse or
// hide the text around them, are escaped (core/base/printable.h).

#include <string>
#include <string_view>

namespace dovetail {

// For content and for attributes in double quotes.
std::string escape_markup(std::string_view text);

// About how wide text is in a sans-serif font: enough to place labels, without a font's metrics.
double text_width(std::string_view text, double font_size);

// The text, its middle cut out where it is wider than `width`. Not escaped yet.
std::string fit_text(std::string_view text, double width, double font_size);

// A name for a file or an anchor: lower case letters, digits and '-'.
std::string slug(std::string_view text);

}  // namespace dovetail
