// SPDX-License-Identifier: Apache-2.0
// Windows, whose size the shape of the output tells, and the discrete Fourier transform as the sum
// that it is.
#include <fmt/format.h>

#include <algorithm>

#include "core/frontend/computations/formula.h"
#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_rules {
namespace {

constexpr std::string_view kTurn = "6.283185307179586";

// As ONNX has them; t is the place as a part of a turn.
struct Window {
  std::string_view type, text;
};
constexpr Window kWindows[] = {
    {"BlackmanWindow", "0.42-0.5*cos(t)+0.08*cos(2*t)"},
    {"HammingWindow", "0.5434782608695652-0.45652173913043476*cos(t)"},
    {"HannWindow", "0.5-0.5*cos(t)"},
};

}  // namespace

Result<NodeRegion> window(RegionWriter& write) {
  if (write.output_shape().size() != 1 || write.made() != ComputedType::real)
    return refuse("of integers");
  const bool periodic = TRY(integer_attribute(write.node(), "periodic", 1)) != 0;
  const int64_t size = write.output_shape()[0] - (periodic ? 0 : 1);
  const auto* const row = std::ranges::find(kWindows, write.node().type, &Window::type);
  const std::string turn = fmt::format("({}*real(a0)/{})", kTurn, std::max<int64_t>(size, 1));
  return write.finish_one(filled(row->text, {{"t", turn}}));
}

// Angles are remainders of whole numbers, so that they are exact however long the signal is.
Result<NodeRegion> fourier_transform(RegionWriter& write) {
  const std::vector<int64_t>& shape = write.shape(0);
  const size_t rank = shape.size();
  const auto axis = axis_of(TRY(integer_attribute(write.node(), "axis", 1)), rank);
  const bool inverse = TRY(integer_attribute(write.node(), "inverse", 0)) != 0;
  if (!axis || *axis + 1 == rank || write.output_shape().size() != rank)
    return refuse("an axis beyond its signal");
  const auto given = TRY(numbers_of(write.node(), "",
                                    input_at(write.node(), 1) == kNoTensor
                                        ? nullptr
                                        : &tensor_of(write.graph(), write.node().inputs[1])));
  if (input_at(write.node(), 1) != kNoTensor && (!given || given->size() != 1))
    return refuse("a length that is only known at run time");
  const int64_t length = given ? given->front() : shape[*axis];
  if (length < 1 || (shape.back() != 1 && shape.back() != 2)) return refuse("no signal");
  write.add_axis("r", std::min(length, shape[*axis]));
  std::vector<std::string> indices = write.axes();
  const std::string k = indices[*axis], part = indices.back();
  indices[*axis] = "r";
  const auto element = [&](const char* of) {
    indices.back() = of;
    return write.read(0, indices);
  };
  const std::string angle =
      fmt::format("({0}*real({1}*r-{2}*quotient({1}*r,{2}))/{2})", kTurn, k, length);
  const std::string sign = inverse ? "-" : "+", other = inverse ? "+" : "-";
  std::string real = fmt::format("{}*cos({})", element("0"), angle);
  std::string imaginary = fmt::format("0{}{}*sin({})", other, element("0"), angle);
  if (shape.back() == 2) {
    real += fmt::format("{}{}*sin({})", sign, element("1"), angle);
    imaginary += fmt::format("+{}*cos({})", element("1"), angle);
  }
  return write.finish_reduced(fmt::format("sum(select({}<1,{},{})){}", part, real, imaginary,
                                          inverse ? fmt::format("/{}", length) : ""));
}

}  // namespace dovetail::node_rules
