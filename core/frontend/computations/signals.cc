// SPDX-License-Identifier: Apache-2.0
// Windows, whose size is taken from the output's shape.
#include <fmt/format.h>

#include <algorithm>

#include "core/frontend/computations/formula.h"
#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_rules {
namespace {

constexpr std::string_view kTurn = "6.283185307179586";

// ONNX's definitions; t is the angle of the position, a full turn over the window.
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

}  // namespace dovetail::node_rules
