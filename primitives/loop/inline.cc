// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/inline.h"

#include <fmt/format.h>

#include <algorithm>

#include "primitives/copy.h"

namespace dovetail {
namespace {

using Values = std::map<std::string, IndexExpr, std::less<>>;

// `read`, which means an element of the copy, as an element of what is copied.
Access composed(const Access& read, const Computation& copy, const Ranges& ranges) {
  Values values;
  for (size_t j = 0; j < read.indices.size(); ++j)
    values.emplace(copy.output.indices[j].terms()[0].atom.variable, read.indices[j]);
  Access result = copy.inputs[0];
  for (IndexExpr& index : result.indices) index = substitute(index, values, ranges);
  for (Bound& bound : result.conditions) bound.expr = substitute(bound.expr, values, ranges);
  result.conditions.insert(result.conditions.end(), read.conditions.begin(), read.conditions.end());
  return result;
}

void redirect(Computation& reader, const Computation& copy) {
  const std::string& gone = copy.output.tensor;
  const Ranges ranges = axis_ranges(reader);
  for (std::vector<Access>* list : {&reader.inputs, &reader.epilogue_inputs}) {
    for (Access& access : *list) {
      if (access.tensor == gone) access = composed(access, copy, ranges);
    }
  }
  for (Tensor& tensor : reader.tensors) {
    if (tensor.name == gone) tensor = tensor_named(copy, copy.inputs[0].tensor);
  }
}

}  // namespace

Result<Schedule> apply(const loop::Inline& primitive, const Schedule& schedule,
                       const std::string& stage) {
  const std::string what = print(LoopPrimitive(primitive));
  const auto gone = std::ranges::find(schedule.stages, stage, &Stage::name);
  if (gone == schedule.stages.end())
    return fail(fmt::format("{}: there is no stage {}", what, stage));
  if (gone + 1 == schedule.stages.end())
    return fail(
        fmt::format("{}: stage {} is the operator itself, which nothing reads", what, stage));
  if (!is_copy(gone->computation)) {
    return fail(fmt::format("{}: stage {} computes more than a copy, expected one input and no sum",
                            what, stage));
  }
  Schedule result = schedule;
  for (Stage& reader : result.stages) redirect(reader.computation, gone->computation);
  std::erase_if(result.tensors, [&](const ScheduledTensor& tensor) {
    return tensor.name == gone->computation.output.tensor;
  });
  std::erase_if(result.stages, [&](const Stage& s) { return s.name == stage; });
  return result;
}

}  // namespace dovetail
