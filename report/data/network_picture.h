// SPDX-License-Identifier: Apache-2.0
#pragma once

// network_picture: a network that a log keeps, as a chart of its calls and of the tensors between
// them (report/charts/network_chart.h).
//
//   NetworkChart chart = network_picture(network);
//   layout_family("1@16:4 2@1:56 3@1:56 1@1:16")    "1 2 3 1:16"
//
// Tensors have the colour of their layout's family, which is the same at every size: dimensions
// from the outermost to the innermost, and the extents of what is split off inside. Beyond nine
// families the rarest share a colour.
//
// Of a network of many calls, those in a row that take next to nothing are one row.

#include <string>
#include <string_view>

#include "core/record/line/network_record.h"
#include "report/charts/network_chart.h"

namespace dovetail {

// `form` is printed by core/ir/layout/normal_form.h; "plain" stays "plain".
std::string layout_family(std::string_view form);

NetworkChart network_picture(const NetworkRecord& network);

}  // namespace dovetail
