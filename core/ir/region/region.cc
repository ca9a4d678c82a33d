// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/region.h"

#include <algorithm>

namespace dovetail {

Result<Region> region_of(const Operator& op) {
  Region region;
  const std::string name(name_of(op.kind));
  region.computations.push_back({name, TRY(define(op))});
  region.outputs = {region.computations[0].computation.output.tensor};
  region.anchor = name;
  region.op = op;
  return region;
}

bool is_inner(const Region& region, const std::string& tensor) {
  const bool made = std::ranges::any_of(region.computations, [&](const NamedComputation& c) {
    return c.computation.output.tensor == tensor;
  });
  return made && std::ranges::find(region.outputs, tensor) == region.outputs.end();
}

}  // namespace dovetail
