// SPDX-License-Identifier: Apache-2.0
//
// FixedLayout: the layouts of a search over loops only (variant `loop_only`), or over loops and
// algorithms (`no_layouts`): those of frameworks and libraries, the same for input and output, with
// weights in the order that goes with them.
//
//     nohw      X n i h w      W o i kh kw       Y n o h w        channels first
//     nhwo      X n h w i      W kh kw i o       Y n h w o        channels last
//     hwon      X h w i n      W kh kw i o       Y h w o n        batch last
//     nohw16o   X n i/16 h w 16i                 Y n o/16 h w 16o
//               W o/16 i/16 kh kw 16i 16o                         blocked by a vector
//
// Vectors run only over the contiguous axis of Y: width, channels, batch, channels. Where that axis
// cannot be vectorized (a stride over the width of nohw), loops are scalar; hwon of one image is
// nhwo. Channels of groups are stored group by group (n g h w o). A matrix product has rows and
// columns: nohw, nhwo and hwon are row-major, nohw16o is blocked. Padding remains a choice of the
// loops: a padded copy, or checks.
//
// Why restricted domains and not a separate space: the two spaces then differ only in the fixed
// layouts, which is the point of comparing them (ALT-OL).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "primitives/space/contraction/contraction_facts.h"
#include "primitives/space/space.h"

namespace dovetail {

enum class FixedLayout : uint8_t { nohw, nhwo, hwon, nohw16o };

std::string_view print(FixedLayout layout);
Result<FixedLayout> parse_fixed_layout(std::string_view text);

// Channels in a block of nohw16o, in inputs as in outputs.
constexpr int64_t kFixedBlock = 16;

// True of a product of matrices, whose output has rows and columns.
bool is_matrix_product(const Computation& computation);

// The output axis that vectors may run over.
std::string contiguous_axis(const Computation& computation, FixedLayout layout);

// Restricts the domains of the parameters that choose layouts to those of `layout`.
std::vector<Parameter> with_layout(std::vector<Parameter> parameters, const ContractionFacts& facts,
                                   FixedLayout layout);

}  // namespace dovetail
