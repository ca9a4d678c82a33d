// SPDX-License-Identifier: Apache-2.0
//
// Alternatives: several spaces as one, with a parameter in front that chooses among them.
//
//   algorithm        direct | winograd_2 | winograd_4 | winograd_4_inner
//   register_tile.o register_tile.w …   of the direct sum
//   winograd_2.register_tile.o …        of F(2,3)'s product, …
//
// Parameters of an alternative that is not chosen are fixed to the default rule's values, so that
// points and counts add up over the alternatives, and a move to another algorithm starts at its
// default.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/schedule/trace.h"
#include "primitives/space/choices.h"
#include "primitives/space/space.h"

namespace dovetail {

struct Alternative {
  // Value of the parameter in front, and prefix of parameter names except the first alternative's.
  std::string name;
  std::vector<Parameter> parameters;
  std::function<Trace(const Choices&)> decode;  // from choices of its own parameters
  Choices wanted;                               // the default rule's choices
  // The default: the first one marked so; else the first one, unless another one's default trace is
  // estimated to take less than kWorthIt of its time.
  bool is_default = false;
  std::optional<double> estimated_seconds = {};  // by the default rule of devices
};
inline constexpr double kWorthIt = 0.85;  // estimates of unlike programs are not that exact

// A single alternative is the space itself.
std::vector<Parameter> joined_parameters(const std::vector<Alternative>& alternatives);
Trace decode(const std::vector<Alternative>& alternatives, const Point& point);
Point default_point(const std::vector<Alternative>& alternatives);

}  // namespace dovetail
