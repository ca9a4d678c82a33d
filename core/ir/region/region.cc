// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/region.h"

#include <algorithm>

namespace dovetail {

Region region_of(const Operator& op) {
  Region region;
  const std::string name(name_of(op.kind));
  region.computations.push_back({name, define(op)});
  region.outputs = {region.computations[0].computation.output.tensor};
  region.anchor = name;
  region.op = op;
  return region;
}

const Computation* anchor_of(const Region& region) {
  const auto anchor =
      std::ranges::find(region.computations, region.anchor, &NamedComputation::name);
  return anchor == region.computations.end() ? nullptr : &anchor->computation;
}

bool is_made(const Region& region, const std::string& tensor) {
  return std::ranges::any_of(region.computations, [&](const NamedComputation& c) {
    return c.computation.output.tensor == tensor;
  });
}

bool is_inner(const Region& region, const std::string& tensor) {
  return is_made(region, tensor) &&
         std::ranges::find(region.outputs, tensor) == region.outputs.end();
}

std::vector<Tensor> tensors_of(const Region& region) {
  std::vector<Tensor> tensors;
  for (const NamedComputation& named : region.computations) {
    for (const Tensor& tensor : named.computation.tensors)
      if (std::ranges::find(tensors, tensor.name, &Tensor::name) == tensors.end())
        tensors.push_back(tensor);
  }
  return tensors;
}

std::vector<Tensor> given_tensors(const Region& region) {
  std::vector<Tensor> tensors = tensors_of(region);
  std::erase_if(tensors, [&](const Tensor& tensor) { return is_made(region, tensor.name); });
  return tensors;
}

}  // namespace dovetail
