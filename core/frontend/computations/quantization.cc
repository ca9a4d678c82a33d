// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/computations/quantization.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/frontend/computations/formula.h"
#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"

namespace dovetail {

std::string rounded_text(const std::string& x) {
  return filled(
      "select(x-floor(x)==0.5,2*floor(x*0.5+0.25),select(x-floor(x)<0.5,floor(x),floor(x)+1))",
      {{"x", x}});
}

std::string saturated_text(const std::string& value, ElementType type) {
  const bool is_signed = type == ElementType::i8;
  return fmt::format("integer(clip({},{},{}))", value, is_signed ? "-128" : "0",
                     is_signed ? 127 : 255);
}

bool is_byte(ElementType type) { return type == ElementType::i8 || type == ElementType::u8; }

namespace node_rules {
namespace {

// The parameter of an element: one for all, one per index along an axis, or one per block of
// elements along the axis.
struct Parameters {
  size_t axis = 0;
  int64_t block = 0;  // 0: no blocks
};

std::string parameter(const RegionWriter& write, size_t input, const Parameters& parameters) {
  const std::vector<int64_t>& shape = write.shape(input);
  if (num_elements(shape) == 1)
    return write.read(input, std::vector<std::string>(shape.size(), "0"));
  if (parameters.block == 0) return write.read(input, {RegionWriter::axis(parameters.axis)});
  std::vector<std::string> indices = write.axes();
  indices[parameters.axis] = fmt::format("{}/{}", indices[parameters.axis], parameters.block);
  return write.read(input, indices);
}

bool has_blocks(const std::vector<int64_t>& shape, const std::vector<int64_t>& scale, size_t axis,
                int64_t block) {
  std::vector<int64_t> expected = shape;
  expected[axis] = (shape[axis] + block - 1) / block;
  return scale == expected;
}

// nullopt if the parameters have other axes.
Result<std::optional<Parameters>> parameters_of(const RegionWriter& write) {
  const std::vector<int64_t>& scale = write.shape(1);
  const int64_t block = TRY(integer_attribute(write.node(), "block_size", 0));
  if (num_elements(scale) == 1) return std::optional(Parameters());
  const auto axis = axis_of(TRY(integer_attribute(write.node(), "axis", 1)), write.shape(0).size());
  if (!axis || block < 0) return std::optional<Parameters>();
  const bool fits = block > 0 ? has_blocks(write.shape(0), scale, *axis, block)
                              : scale.size() == 1 && scale[0] == write.shape(0)[*axis];
  const bool zeros_fit = !write.has_input(2) || write.shape(2) == scale;
  if (!fits || !zeros_fit) return std::optional<Parameters>();
  return std::optional(Parameters{*axis, block});
}

}  // namespace

Result<NodeRegion> quantize(RegionWriter& write) {
  const auto parameters = TRY(parameters_of(write));
  if (!parameters || !is_byte(write.output_tensor().type) ||
      write.computed(0) != ComputedType::real)
    return refuse("a scale of other axes or blocks, or a type of more than a byte");
  const std::string q =
      element_of("Q", write.axes().empty() ? std::vector<std::string>{"z"} : write.axes());
  const std::string zero = write.has_input(2) ? "+" + parameter(write, 2, *parameters) : "";
  return write.finish(fmt::format(
      "{}={}/{};{}={}", q, write.read(0), parameter(write, 1, *parameters), write.output(),
      saturated_text(rounded_text(q) + zero, write.output_tensor().type)));
}

Result<NodeRegion> dequantize(RegionWriter& write) {
  const auto parameters = TRY(parameters_of(write));
  if (!parameters || write.computed(0) != ComputedType::integer ||
      write.made() != ComputedType::real)
    return refuse("a scale of other axes or blocks, or of real numbers");
  const std::string zero = write.has_input(2) ? "-" + parameter(write, 2, *parameters) : "";
  return write.finish_one(
      fmt::format("real({}{})*{}", write.read(0), zero, parameter(write, 1, *parameters)));
}

// Maps the range of the data, extended to include 0, to a byte.
Result<NodeRegion> dynamic_quantize(RegionWriter& write) {
  if (write.computed(0) != ComputedType::real || write.num_outputs() != 3 || !write.has_output(1) ||
      !write.has_output(2))
    return refuse("an output that is left out");
  std::vector<std::string> all;
  for (size_t i = 0; i < write.shape(0).size(); ++i) {
    all.push_back(fmt::format("p{}", i));
    write.add_axis(all.back(), write.shape(0)[i]);
  }
  const std::string x = write.read(0, all), q = element_of("Q", write.axes());
  std::string text = fmt::format("H[z]=max(max({0}),0);L[z]=min(min({0}),0);", x);
  text += "S[z]=(H[0]-L[0])/255;O[z]=(0-L[0])/S[0];";
  text += fmt::format("Z[z]={};{}={}/S[0];{}={};{}=S[0];{}=integer(Z[0])",
                      fmt::format("clip({},0,255)", rounded_text("O[0]")), q, write.read(0),
                      write.output(), saturated_text(rounded_text(q) + "+Z[0]", ElementType::u8),
                      write.output(1, {}), write.output(2, {}));
  return write.finish(text);
}

}  // namespace node_rules
}  // namespace dovetail
