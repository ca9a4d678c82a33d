// SPDX-License-Identifier: Apache-2.0
#pragma once

// Winners: what the best traces are made of: which layouts won, and which primitives they use.
//
//   parse_winner("layout X: split(axis=i, factor=16) reorder(n, i.0, h, w, i.1) ; scope texture\n"
//                "loops: vectorize(o.1) ; parallel(o.0.0)\n")
//     layouts {{"X", "split(axis=i, factor=16) reorder(n, i.0, h, w, i.1)", "texture"}}
//     loops   "vectorize(o.1) ; parallel(o.0.0)"
//
// From the text of a trace and not the trace: a page must show those of other versions, too.

#include <string>
#include <string_view>
#include <vector>

#include "report/data/campaign_data.h"
#include "report/data/machine_facts.h"
#include "report/tables/data_table.h"

namespace dovetail {

struct WonLayout {
  std::string tensor = {};
  std::string primitives = {};  // empty: as the operator's spec has it
  std::string scope = {};       // empty: global
};

struct Winner {
  std::string algorithm = {};  // empty: direct
  std::vector<WonLayout> layouts = {};
  std::string loops = {};
};

Winner parse_winner(std::string_view trace);

// Names of the primitives in a text, each once, in the order of their first use.
std::vector<std::string> primitives_in(std::string_view text);

// A row a tensor: how many winners have each layout primitive in it.
DataTable layout_table(const CampaignData& data);
// A row a primitive: how many winners have it in their loops.
DataTable loop_table(const CampaignData& data);

// The best trace of each task, as markup for a page.
std::string winners_html(const CampaignData& data, const MachineFacts& facts);

}  // namespace dovetail
