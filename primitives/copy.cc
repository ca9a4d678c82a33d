// SPDX-License-Identifier: Apache-2.0
#include "primitives/copy.h"

#include <algorithm>

namespace dovetail {
namespace {

// Whether it is an element of an input or a number, selected by bounds.
bool is_moved(const Value& element) {
  if (const auto* s = element.as<Select>()) return is_moved(s->then) && is_moved(s->otherwise);
  return element.as<ReadOf>() != nullptr || element.as<Constant>() != nullptr;
}

}  // namespace

Computation copy_computation(const Tensor& tensor, const std::string& copy, double outside) {
  Computation c;
  Access from{tensor.name, {}, {}, outside};
  for (const LogicalDim& dim : tensor.dims) {
    c.axes.push_back({dim.name, dim.extent, false});
    from.indices.push_back(IndexExpr::variable(dim.name));
  }
  c.output = {copy, from.indices};
  c.reads = {from};
  c.element = read_of(0);
  c.tensors = {tensor, {copy, tensor.dims, TensorRole::output, tensor.type}};
  return c;
}

bool is_copy(const Computation& computation) {
  return computation.reads.size() == 1 && computation.element == read_of(0) &&
         moves_elements(computation);
}

bool is_whole_copy(const Computation& computation) {
  if (!is_copy(computation)) return false;
  const Access& read = computation.reads[0];
  const Tensor& from = tensor_named(computation, read.tensor);
  const Tensor& to = tensor_named(computation, computation.output.tensor);
  for (size_t d = 0; d < to.dims.size(); ++d) {
    bool ends_alike = false;
    for (size_t j = 0; j < from.dims.size(); ++j)
      ends_alike |= read.indices[j] == computation.output.indices[d] &&
                    from.dims[j].extent == to.dims[d].extent;
    if (!ends_alike) return false;
  }
  return true;
}

bool moves_elements(const Computation& computation) {
  const auto plain = [](const IndexExpr& e) {
    return e.constant() == 0 && e.terms().size() == 1 && e.terms()[0].coefficient == 1 &&
           e.terms()[0].atom.kind == IndexAtom::Kind::variable;
  };
  return is_moved(computation.element) && computation.reducer == Reducer::none &&
         computation.gathers.empty() && std::ranges::all_of(computation.output.indices, plain);
}

}  // namespace dovetail
