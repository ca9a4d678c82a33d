// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/tensor_layout.h"

#include <algorithm>

#include "primitives/layout/apply_layout.h"

namespace dovetail {
namespace {

const TensorLayout* lines_of(const Trace& trace, const std::string& tensor) {
  for (const TensorLayout& lines : trace.layouts) {
    if (lines.tensor == tensor) return &lines;
  }
  return nullptr;
}

// A constant along the output's channels is stored as the output is, less the other dims: padded
// alike, so that a partial tile reads zeros instead of a guard, and with the same lanes side by
// side.
Layout like_output(const Tensor& tensor, const Layout& output) {
  Layout layout = identity_layout(tensor.dims);
  layout.axes.clear();
  for (const PhysicalAxis& axis : output.axes) {
    PhysicalAxis kept{axis.name, {}};
    for (Digit digit : axis.digits) {
      const auto dim = std::ranges::find(tensor.dims, output.logical[digit.dim]);
      if (dim == tensor.dims.end()) continue;
      const auto d = dim - tensor.dims.begin();
      layout.offsets[static_cast<size_t>(d)] = output.offsets[digit.dim];
      digit.dim = static_cast<int>(d);
      kept.digits.push_back(digit);
    }
    if (!kept.digits.empty()) layout.axes.push_back(std::move(kept));
  }
  return layout;
}

Layout plain_layout(const Tensor& tensor, const Guests& guests) {
  Layout layout = identity_layout(tensor.dims);
  if (const auto held = guests.find(tensor.name); held != guests.end())
    layout.guests = held->second;
  return layout;
}

// The computation whose result alone reads the tensor, at its own output's axes.
const Computation* only_result_reader(const Tensor& tensor, const std::vector<PlannedStage>& plan) {
  const Computation* reader = nullptr;
  for (const PlannedStage& stage : plan) {
    const Computation& c = stage.computation;
    for (size_t k = 0; k < c.reads.size(); ++k) {
      if (c.reads[k].tensor != tensor.name) continue;
      const bool plain = std::ranges::all_of(c.reads[k].indices, [&](const IndexExpr& index) {
        return std::ranges::find(c.output.indices, index) != c.output.indices.end();
      });
      if (k < element_reads(c).size() || !plain || (reader != nullptr && reader != &c))
        return nullptr;
      reader = &c;
    }
  }
  return reader;
}

}  // namespace

// Without lines of its own, a constant that only a result reads (a bias) is stored as that output
// is, and so is an activation of the output's shape (a residual).
Result<Layout> layout_of(const Tensor& tensor, const Trace& trace,
                         const std::vector<PlannedStage>& plan, const Guests& guests) {
  const Layout plain = plain_layout(tensor, guests);
  if (const TensorLayout* lines = lines_of(trace, tensor.name)) return apply_all(*lines, plain);
  const Computation* reader = only_result_reader(tensor, plan);
  if (reader == nullptr || !is_product_sum(*reader)) return plain;
  const TensorLayout* output_lines = lines_of(trace, reader->output.tensor);
  const Tensor& output = tensor_named(*reader, reader->output.tensor);
  if (output_lines == nullptr) return plain;
  if (tensor.role != TensorRole::constant && tensor.dims != output.dims) return plain;
  Layout like = TRY(apply_all(*output_lines, identity_layout(output.dims)));
  like.scope = MemoryScope::global;
  return tensor.dims == output.dims ? like : like_output(tensor, like);
}

}  // namespace dovetail
