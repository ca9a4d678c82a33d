// SPDX-License-Identifier: Apache-2.0
// Elementwise nodes with inputs that are not operands.
#include <fmt/format.h>

#include <algorithm>

#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_rules {

// Bounds are attributes (before operator set 11), constants, or scalars read at run time; either
// may be omitted.
Result<NodeRegion> clip(RegionWriter& write) {
  const GraphNode& node = write.node();
  std::string value = write.read(0);
  for (const auto& [name, position] : {std::pair("min", size_t{1}), std::pair("max", size_t{2})}) {
    const TensorId id = input_at(node, position);
    std::optional<double> bound = single_number(write.graph(), id);
    std::string text;
    if (node.attributes.contains(name)) bound = TRY(number_attribute(node, name, 0));
    if (bound) {
      text = number_text(*bound);
    } else if (id != kNoTensor) {
      if (num_elements(write.shape(position)) != 1) return refuse("a bound of several numbers");
      text = write.read(position, std::vector<std::string>(write.shape(position).size(), "0"));
    }
    // ONNX's min is the lower bound, which is applied by max().
    if (!text.empty()) value = fmt::format("{}({},{})", position == 1 ? "max" : "min", value, text);
  }
  return write.finish_one(value);
}

// The shape is taken from the output.
Result<NodeRegion> expand(RegionWriter& write) {
  if (!write.broadcasts()) return refuse("an input of another shape than its output");
  return write.finish_one(write.read(0));
}

// Real numbers become integers by rounding towards zero; the cast of a narrow type defines the
// result for values out of its range.
Result<NodeRegion> cast(RegionWriter& write) {
  const ElementType to = write.output_tensor(0).type;
  const bool is_narrow = write.computed(0) == ComputedType::real &&
                         write.made() == ComputedType::integer && to != ElementType::i64;
  if (is_narrow) return write.finish_one(fmt::format("{}({})", name_of(to), write.read(0)));
  return write.finish_one(converted(write.read(0), write.computed(0), write.made()));
}

Result<NodeRegion> where(RegionWriter& write) {
  if (!write.broadcasts()) return refuse("operands of other shapes than its output");
  if (write.computed(1) != write.made() || write.computed(2) != write.made())
    return refuse("operands of several types");
  return write.finish_one(
      fmt::format("select({},{},{})", write.read(0), write.read(1), write.read(2)));
}

// ConstantOfShape, whose shape is the output's.
Result<NodeRegion> one_constant(RegionWriter& write) {
  const auto found = write.node().attributes.find("value");
  double value = 0;
  if (found != write.node().attributes.end()) {
    const auto* whole = std::get_if<int64_t>(&found->second);
    // Numbers in a text are doubles, which do not hold all 64-bit integers.
    constexpr int64_t kHalf = int64_t{1} << 32, kExact = int64_t{1} << 53;
    if (whole != nullptr && (*whole > kExact || *whole < -kExact))
      return write.finish_one(fmt::format("integer({})*{}+{}",
                                          number_text(static_cast<double>(*whole / kHalf)), kHalf,
                                          number_text(static_cast<double>(*whole % kHalf))));
    value = whole != nullptr ? static_cast<double>(*whole)
                             : TRY(number_attribute(write.node(), "value", 0));
  }
  return write.finish_one(converted(number_text(value), ComputedType::real, write.made()));
}

// A shift is a product with or a quotient by a power of two, which is computed exactly in integers
// from the five lowest bits of the distance. Bits beyond the type are cut off.
Result<NodeRegion> bit_shift(RegionWriter& write) {
  if (!write.broadcasts() || write.num_inputs() != 2 || write.made() != ComputedType::integer)
    return refuse("of real numbers");
  const std::string direction = TRY(text_attribute(write.node(), "direction", ""));
  if (direction != "LEFT" && direction != "RIGHT") return refuse("direction " + direction);
  const std::string by = write.read(1);
  std::string power;
  int64_t factor = 2;
  for (int64_t bit = 1; bit <= 16; bit *= 2, factor *= factor)
    power += fmt::format("{0}integer(select(quotient({1},{2})-2*quotient({1},{3})==1,{4},1))",
                         power.empty() ? "" : "*", by, bit, 2 * bit, factor);
  const std::string value = direction == "LEFT"
                                ? fmt::format("{}*({})", write.read(0), power)
                                : fmt::format("quotient({},{})", write.read(0), power);
  return write.finish_one(fmt::format("select(31<{},0,{})", by, value));
}

}  // namespace dovetail::node_rules
