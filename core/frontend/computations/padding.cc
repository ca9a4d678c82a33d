// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_rules {
namespace {

// The value of the padding: an attribute, a constant, an input read at run time, or 0.
Result<std::string> padding_value(const RegionWriter& write) {
  if (write.node().attributes.contains("value"))
    return number_text(TRY(number_attribute(write.node(), "value", 0)));
  if (!write.has_input(2)) return std::string("0");
  if (write.input(2).constant)
    if (const auto known = single_number(write.graph(), input_at(write.node(), 2)))
      return number_text(*known);
  return write.read(2, std::vector<std::string>(write.shape(2).size(), "0"));
}

// The input's index for position `at`, which may be outside the input, by the mode of padding.
std::string index_in(const std::string& mode, const std::string& at, int64_t extent) {
  if (mode == "wrap") return fmt::format("({0}) mod {1}", at, extent);
  if (mode != "reflect") return fmt::format("clamp({},0,{})", at, extent - 1);
  return fmt::format("clamp(min(abs({0}),{1}-abs({0})),0,{2})", at, 2 * (extent - 1), extent - 1);
}

// The padding before each axis.
struct PadsBefore {
  std::vector<std::optional<int64_t>> known = {};  // nullopt: known only at run time
  std::vector<size_t> place = {};                  // position in the input of pads
  std::string reason = {};
};

// Pads are for all axes, or for the axes in the last input.
Result<PadsBefore> pads_before(const RegionWriter& write) {
  const size_t rank = write.output_shape().size();
  const auto numbers = [&](const std::string& attribute, size_t position) {
    return numbers_of(write.node(), attribute,
                      write.has_input(position) ? &write.input(position) : nullptr);
  };
  const auto pads = TRY(numbers("pads", 1));
  auto axes = TRY(numbers("", 3));
  if (!pads && !write.has_input(1)) return PadsBefore{.reason = "no pads"};
  if (!axes && write.has_input(3))
    return PadsBefore{.reason = "axes that are only known at run time"};
  if (!axes) {
    axes.emplace(rank);
    std::iota(axes->begin(), axes->end(), int64_t{0});
  }
  if (pads && pads->size() != 2 * axes->size()) return PadsBefore{.reason = "pads of other axes"};
  PadsBefore before{.known = std::vector<std::optional<int64_t>>(rank, 0),
                    .place = std::vector<size_t>(rank)};
  for (size_t k = 0; k < axes->size(); ++k) {
    const auto axis = axis_of((*axes)[k], rank);
    if (!axis) return PadsBefore{.reason = "an axis beyond its rank"};
    before.place[*axis] = k;
    before.known[*axis] = pads ? std::optional((*pads)[k]) : std::nullopt;
  }
  return before;
}

}  // namespace

// Mode constant is a select by indices where the pads are known, by data where they are an input.
Result<NodeRegion> pad(RegionWriter& write) {
  const std::string mode = TRY(text_attribute(write.node(), "mode", "constant"));
  if (mode != "constant" && mode != "edge" && mode != "reflect" && mode != "wrap")
    return refuse("mode " + mode);
  const PadsBefore before = TRY(pads_before(write));
  if (!before.reason.empty()) return refuse(before.reason);
  const bool all_known = std::ranges::all_of(before.known, [](auto n) { return n.has_value(); });
  if (mode == "wrap" && !all_known)
    return refuse("mode wrap with pads that are only known at run time");
  std::vector<std::string> indices;
  std::string inside;
  for (size_t i = 0; i < before.known.size(); ++i) {
    const int64_t extent = write.shape(0)[i];
    const auto& pads = before.known[i];
    const std::string at =
        pads ? fmt::format("{}-{}", RegionWriter::axis(i), number_text(static_cast<double>(*pads)))
             : fmt::format("{}-{}[{}]", RegionWriter::axis(i), RegionWriter::name(1),
                           before.place[i]);
    const bool is_whole = pads == 0 && extent == write.output_shape()[i];
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

// Crops each axis, or pads it with zeros, by half of the difference on either side, the smaller
// half first.
Result<NodeRegion> center_crop_pad(RegionWriter& write) {
  std::vector<std::string> indices = write.axes();
  std::string inside;
  for (size_t i = 0; i < indices.size(); ++i) {
    const int64_t in = write.shape(0)[i], out = write.output_shape()[i];
    if (in > out) indices[i] += fmt::format("+{}", (in - out) / 2);
    if (in >= out) continue;
    indices[i] += fmt::format("-{}", (out - in) / 2);
    inside += fmt::format("{}0<={}&{}<{}", inside.empty() ? "" : "&", indices[i], indices[i], in);
  }
  const std::string value = write.read(0, indices);
  return write.finish_one(inside.empty() ? value : fmt::format("select({},{},0)", inside, value));
}

}  // namespace dovetail::node_rules
