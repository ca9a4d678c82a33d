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

// A parameter for all, or one for each element of an axis.
std::string parameter(const RegionWriter& write, size_t input, size_t axis) {
  const std::vector<int64_t>& shape = write.shape(input);
  if (num_elements(shape) == 1)
    return write.read(input, std::vector<std::string>(shape.size(), "0"));
  return write.read(input, {RegionWriter::axis(axis)});
}

// The axis of the parameters; none where they have others.
Result<std::optional<size_t>> axis_of_parameters(const RegionWriter& write) {
  const std::vector<int64_t>& scale = write.shape(1);
  const size_t rank = write.shape(0).size();
  if (num_elements(scale) == 1) return std::optional(size_t{0});
  const auto axis = axis_of(TRY(integer_attribute(write.node(), "axis", 1)), rank);
  if (!axis || scale.size() != 1 || scale[0] != write.shape(0)[*axis])
    return std::optional<size_t>();
  return axis;
}

}  // namespace

Result<NodeRegion> quantize(RegionWriter& write) {
  const auto axis = TRY(axis_of_parameters(write));
  if (!axis || !is_byte(write.output_tensor().type) || write.computed(0) != ComputedType::real)
    return refuse("a scale of several axes, or a type of more than a byte");
  const std::string q =
      element_of("Q", write.axes().empty() ? std::vector<std::string>{"z"} : write.axes());
  const std::string zero = write.has_input(2) ? "+" + parameter(write, 2, *axis) : "";
  return write.finish(
      fmt::format("{}={}/{};{}={}", q, write.read(0), parameter(write, 1, *axis), write.output(),
                  saturated_text(rounded_text(q) + zero, write.output_tensor().type)));
}

Result<NodeRegion> dequantize(RegionWriter& write) {
  const auto axis = TRY(axis_of_parameters(write));
  if (!axis || write.computed(0) != ComputedType::integer || write.made() != ComputedType::real)
    return refuse("a scale of several axes, or of real numbers");
  const std::string zero = write.has_input(2) ? "-" + parameter(write, 2, *axis) : "";
  return write.finish_one(
      fmt::format("real({}{})*{}", write.read(0), zero, parameter(write, 1, *axis)));
}

// With the range of the data, which has 0 in it, spread over a byte.
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
