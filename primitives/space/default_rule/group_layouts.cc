// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/default_rule/tile_layouts.h"

namespace dovetail {

void lay_out_for_groups(const ProductTraits& traits, Choices& choices) {
  tile_channels(traits, {.output = traits.s.lanes, .weights = traits.s.lanes}, choices);
  block_reduction(traits, choices);
}

}  // namespace dovetail
