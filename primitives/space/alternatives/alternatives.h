// SPDX-License-Identifier: Apache-2.0
//
// Alternatives: several spaces as one, with a parameter in front that chooses among them.
//
//   algorithm        direct | winograd_2 | winograd_4 | winograd_4_inner
//   register_tile.o register_tile.w …   of the direct sum
//   winograd_2.register_tile.o …        of F(2,3)'s product, …
//
// A parameter of an alternative that is not chosen has one value, the default rule's: it is no
// choice, so that points and counts are those of the alternatives, added up; and a move to another
// algorithm starts at that one's default.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/ir/schedule/trace.h"
#include "primitives/space/choices.h"
#include "primitives/space/space.h"

namespace dovetail {

struct Alternative {
  // Value of the parameter in front, and the first word of all names but the first alternative's.
  std::string name;
  std::vector<Parameter> parameters;
  std::function<Trace(const Choices&)> decode;  // by its parameters as they are alone
  Choices wanted;                               // the default rule's
  bool is_default = false;                      // of several the first such one, else the first
};

// One alone is its own space.
std::vector<Parameter> joined_parameters(const std::vector<Alternative>& alternatives);
Trace decode(const std::vector<Alternative>& alternatives, const Point& point);
Point default_point(const std::vector<Alternative>& alternatives);

}  // namespace dovetail
