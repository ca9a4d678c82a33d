// SPDX-License-Identifier: Apache-2.0
#pragma once

// network_picture: a network that a log keeps, as a chart of its calls and of the tensors between
// them (report/charts/network_chart.h).
//
//   NetworkChart chart = network_picture(network);
//   layout_family("1@16:4 2@1:56 3@1:56 1@1:16")    "1 2 3 1:16"
//
// Tensors are coloured by layout family, the same at every size: the dimensions from outermost to
// innermost, and the extents of inner splits. Beyond nine families the rarest share a colour.
//
// In a network of more than 80 calls, consecutive ones below 0.3 % of its time share a row.

#include <string>
#include <string_view>

#include "core/record/line/network_record.h"
#include "report/charts/network_chart.h"

namespace dovetail {

// `form` as core/ir/layout/normal_form.h prints it; "row_major" stays "row_major".
std::string layout_family(std::string_view form);

NetworkChart network_picture(const NetworkRecord& network);

}  // namespace dovetail
