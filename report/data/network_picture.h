// SPDX-License-Identifier: Apache-2.0
#pragma once

// network_picture: a network that a log keeps, as a chart of its calls and of the tensors between
// them (report/charts/network_chart.h).
//
//   NetworkChart chart = network_picture(network);
//
// Tensors are coloured by the name of their layout (report/data/layout_name.h), the same at every
// size. Beyond nine names the rarest share a colour.
//
// In a network of more than 80 calls, consecutive ones below 0.3 % of its time share a row.

#include "core/record/line/network_record.h"
#include "report/charts/network_chart.h"

namespace dovetail {

NetworkChart network_picture(const NetworkRecord& network);

}  // namespace dovetail
