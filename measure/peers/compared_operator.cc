// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/compared_operator.h"

#include <algorithm>

#include "core/base/fail.h"

namespace dovetail {

Result<Operator> compared_operator(const Region& region) {
  if (!region.op) {
    return fail(
        "no peer runs a written region: compare its ONNX node by run MODEL --peer "
        "(scripts/node-models)");
  }
  if (!std::ranges::all_of(tensors_of(region),
                           [](const Tensor& tensor) { return tensor.type == ElementType::f32; }))
    return fail("only f32 is compared");
  if (region.op->math != ElementType::f32) return fail("only math=f32 is compared");
  if (region.op->sum) return fail("a sum of one's own, which no library has under a name");
  if (region.op->tail) return fail("an operator with a tail, which no library has under a name");
  return *region.op;
}

}  // namespace dovetail
