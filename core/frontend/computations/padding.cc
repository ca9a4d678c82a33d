// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_rules {
namespace {

// What stands outside: an attribute, a constant, a single number that is given, or nothing.
Result<std::string> padding_value(const RegionWriter& write) {
  if (write.node().attributes.contains("value"))
    return number_text(TRY(number_attribute(write.node(), "value", 0)));
  if (!write.has_input(2)) return std::string("0");
  if (write.input(2).constant)
    if (const auto known = single_number(write.graph(), input_at(write.node(), 2)))
      return number_text(*known);
  return write.read(2, std::vector<std::string>(write.shape(2).size(), "0"));
}

// The place in the input, before it is kept within.
std::string index_in(const std::string& mode, const std::string& at, int64_t extent) {
  if (mode != "reflect") return fmt::format("clamp({},0,{})", at, extent - 1);
  return fmt::format("clamp(min(abs({0}),{1}-abs({0})),0,{2})", at, 2 * (extent - 1), extent - 1);
}

}  // namespace

// Mode constant is a select by indices where the pads are known, by data where they are given.
Result<NodeRegion> pad(RegionWriter& write) {
  const std::string mode = TRY(text_attribute(write.node(), "mode", "constant"));
  if (mode != "constant" && mode != "edge" && mode != "reflect") return refuse("mode " + mode);
  if (write.has_input(3)) return refuse("axes");
  const auto pads =
      TRY(numbers_of(write.node(), "pads", write.has_input(1) ? &write.input(1) : nullptr));
  if (!pads && !write.has_input(1)) return refuse("no pads");
  const size_t rank = write.output_shape().size();
  if (pads && pads->size() != 2 * rank) return refuse("pads of other axes");
  std::vector<std::string> indices;
  std::string inside;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t extent = write.shape(0)[i];
    const std::string at = pads ? fmt::format("{}-{}", RegionWriter::axis(i),
                                              number_text(static_cast<double>((*pads)[i])))
                                : fmt::format("{}-{}[{}]", RegionWriter::axis(i), write.name(1), i);
    const bool is_whole = pads && (*pads)[i] == 0 && extent == write.output_shape()[i];
    if (is_whole) {
      indices.push_back(RegionWriter::axis(i));
    } else if (mode == "constant") {
      indices.push_back(pads ? at : fmt::format("clamp({},0,{})", at, extent - 1));
      inside += fmt::format("{}0<={}&{}<{}", inside.empty() ? "" : "&", at, at, extent);
    } else {
      indices.push_back(index_in(mode, at, extent));
    }
  }
  const std::string value = write.read(0, indices);
  if (inside.empty()) return write.finish_one(value);
  return write.finish_one(
      fmt::format("select({},{},{})", inside, value, TRY(padding_value(write))));
}

}  // namespace dovetail::node_rules
