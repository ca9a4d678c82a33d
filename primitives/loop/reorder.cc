// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/reorder.h"

#include <algorithm>

#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {

Result<Stage> apply(const loop::Reorder& reorder, const Stage& stage) {
  const std::string what = print(LoopPrimitive(reorder));
  std::vector<size_t> places;
  for (const std::string& name : reorder.loops) {
    const size_t index = TRY(require_loop(what, name, stage));
    if (std::find(places.begin(), places.end(), index) != places.end()) {
      return refuse(what, "loop {} is named twice", name);
    }
    places.push_back(index);
  }
  std::vector<size_t> sorted = places;
  std::sort(sorted.begin(), sorted.end());
  Stage result = stage;
  for (size_t k = 0; k < places.size(); ++k) result.loops[sorted[k]] = stage.loops[places[k]];
  return result;
}

}  // namespace dovetail
